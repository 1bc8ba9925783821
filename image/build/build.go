package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Result is what a build made.
type Result struct {
	Image string
	SBOM  string
	// Missing are warnings for the owner: what the device will not have.
	Missing []string
}

// Build builds an image. Nothing is at the output's name until it is complete.
func Build(ctx context.Context, o Options) (*Result, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	date, err := sourceDate(ctx, o.Project)
	if err != nil {
		return nil, err
	}
	if o.Version, err = imageVersion(ctx, o, date); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp(filepath.Dir(o.Output), ".image-*")
	if err != nil {
		return nil, fmt.Errorf("build the image: %w", err)
	}
	defer os.RemoveAll(temp)

	o.note("1/4 compiling gokrazy's packer")
	packer, err := buildPacker(ctx, o, temp)
	if err != nil {
		return nil, err
	}
	o.note("2/4 collecting the files of the root partition")
	in, err := newInstance(o, temp)
	if err != nil {
		return nil, err
	}
	files, err := collect(ctx, o, date)
	if err != nil {
		return nil, err
	}
	permFolder, installed, err := fillPerm(ctx, o, temp)
	if err != nil {
		return nil, err
	}
	bill, err := newBill(ctx, o, in, files, date)
	if err != nil {
		return nil, err
	}
	text, err := bill.encode()
	if err != nil {
		return nil, err
	}
	files.text(billName, string(text))
	if err := files.write(filepath.Join(in.folder(), extraName+"_"+o.Board.Arch+".tar"), date); err != nil {
		return nil, err
	}
	localtime := filepath.Join(temp, "localtime")
	if err := errors.Join(in.save(), os.WriteFile(localtime, files.utc, 0o644)); err != nil {
		return nil, err
	}
	o.note("3/4 compiling programs and packing partitions (minutes the first time)")
	raw := filepath.Join(temp, "image")
	if err := pack(ctx, o, packer, in, localtime, raw, date); err != nil {
		return nil, err
	}
	o.note("4/4 finishing the boot partition and /perm")
	if err := finish(ctx, o, raw, permFolder, date); err != nil {
		return nil, err
	}
	r := &Result{Image: o.Output, SBOM: o.Output + ".sbom.json", Missing: files.missing}
	// What is in /perm is in the list beside the image: the root partition is the same
	// without it.
	bill.Components = append(bill.Components, installed...)
	for _, c := range installed {
		r.Missing = append(r.Missing, fmt.Sprintf("%s %s is installed but was not tried, since it is for another machine; the device's page about its health says whether it works", c.Name, c.Version))
	}
	if text, err = bill.encode(); err != nil {
		return nil, err
	}
	if err := os.WriteFile(r.SBOM, text, 0o644); err != nil {
		return nil, err
	}
	return r, os.Rename(raw, o.Output)
}
