package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
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
	b := builder{Options: o}
	if b.date, err = sourceDate(ctx, o.Project); err != nil {
		return nil, err
	}
	if b.Version, err = imageVersion(ctx, o, b.date); err != nil {
		return nil, err
	}
	if b.temp, err = os.MkdirTemp(filepath.Dir(o.Output), ".image-*"); err != nil {
		return nil, fmt.Errorf("build the image: %w", err)
	}
	defer os.RemoveAll(b.temp)
	b.raw = filepath.Join(b.temp, "image")

	for n, step := range []struct {
		words string
		do    func(context.Context) error
	}{
		{"compiling gokrazy's packer", b.compilePacker},
		{"collecting the files of the root partition", b.gather},
		{"compiling programs and packing partitions (minutes the first time)", b.pack},
		{"finishing the boot partition and /perm", b.finish},
	} {
		o.note(fmt.Sprintf("%d/4 %s", n+1, step.words))
		if err := step.do(ctx); err != nil {
			return nil, err
		}
	}
	return b.result()
}

// builder is a build under way.
type builder struct {
	Options
	date time.Time
	temp string // the build's own folder, beside the output
	raw  string // the image until it is complete

	packer     string // gokrazy's, compiled
	instance   *instance
	files      *rootFiles
	permFolder string
	installed  []component // in /perm
	bill       *bill
}

func (b *builder) compilePacker(ctx context.Context) (err error) {
	b.packer, err = buildPacker(ctx, b.Options, b.temp)
	return err
}

// gather makes what gokrazy's packer reads: the instance and the files that are
// beside its programs, with the list of what is in the root.
func (b *builder) gather(ctx context.Context) (err error) {
	if b.instance, err = newInstance(b.Options, b.temp); err != nil {
		return err
	}
	if b.files, err = collect(ctx, b.Options, b.date); err != nil {
		return err
	}
	if b.permFolder, b.installed, err = fillPerm(ctx, b.Options, b.temp); err != nil {
		return err
	}
	if b.bill, err = newBill(ctx, b.Options, b.instance, b.files, b.date); err != nil {
		return err
	}
	text, err := b.bill.encode()
	if err != nil {
		return err
	}
	b.files.text(billName, string(text))
	tar := filepath.Join(b.instance.folder(), extraName+"_"+b.Board.Arch+".tar")
	return errors.Join(b.files.write(tar, b.date), b.instance.save())
}

func (b *builder) pack(ctx context.Context) error {
	localtime := filepath.Join(b.temp, "localtime")
	if err := os.WriteFile(localtime, b.files.utc, 0o644); err != nil {
		return err
	}
	return pack(ctx, b.Options, b.packer, b.instance, localtime, b.raw, b.date)
}

func (b *builder) finish(ctx context.Context) error {
	return finish(ctx, b.Options, b.raw, b.permFolder, b.date)
}

// result gives the image its name. What is in /perm is in the list beside the image
// alone: the root partition is the same without it.
func (b *builder) result() (*Result, error) {
	r := &Result{Image: b.Output, SBOM: b.Output + ".sbom.json", Missing: b.files.missing}
	b.bill.Components = append(b.bill.Components, b.installed...)
	for _, c := range b.installed {
		r.Missing = append(r.Missing, fmt.Sprintf("%s %s is installed but was not tried, since it is for another machine; the device's page about its health says whether it works", c.Name, c.Version))
	}
	text, err := b.bill.encode()
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(r.SBOM, text, 0o644); err != nil {
		return nil, err
	}
	return r, os.Rename(b.raw, b.Output)
}
