package build

import (
	"context"
	_ "embed" // the list of busybox's commands
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/prompt64/prompt64/image/debs"
)

// applets are the commands that busybox stands for.
//
//go:embed applets.txt
var applets string

// PackageCache is where Debian packages are kept.
func PackageCache(cache string) string { return filepath.Join(cache, "debs") }

// addTools adds the agent's tools: what the locked Debian packages hold.
func (r *rootFiles) addTools(ctx context.Context, o Options) error {
	packages, err := debs.Locked(o.Board.Arch)
	if err != nil {
		return err
	}
	paths, err := debs.Fetch(ctx, PackageCache(o.Cache), packages)
	if err != nil {
		return err
	}
	for i, p := range packages {
		if err := debs.Unpack(ctx, paths[i], r.addTool); err != nil {
			return err
		}
		r.packages = append(r.packages, component{
			Type: "library", Name: p.Name, Version: p.Version, Hashes: sha256Of(p.SHA256),
			PURL: fmt.Sprintf("pkg:deb/debian/%s@%s?arch=%s", p.Name, url.PathEscape(p.Version), p.Arch),
		})
	}
	for name := range strings.FieldsSeq(applets) {
		if at := "bin/" + name; r.files[at].from == "" && r.files[at].text == nil {
			r.files[at] = file{link: "busybox"}
		}
	}
	// Where Debian's programs look for certificates, and where the packer puts them.
	r.files["etc/ssl/certs/ca-certificates.crt"] = file{link: "../ca-bundle.pem"}
	return nil
}

// radioTable is what Wi-Fi may do in each country, signed by those who keep it: the
// package has it under another name, since Debian signs a copy for its own kernel.
const radioTable = "lib/firmware/regulatory.db"

func (r *rootFiles) addTool(f debs.File) error {
	name := f.Name
	if strings.HasPrefix(name, "lib/firmware/") || strings.HasPrefix(name, "usr/lib/firmware/") {
		name = strings.TrimPrefix(name, "usr/")
		if !strings.HasPrefix(name, radioTable) || !strings.HasSuffix(name, "-upstream") {
			return nil
		}
		name = strings.TrimSuffix(name, "-upstream")
	}
	if f.Link != "" {
		r.files[name] = file{link: f.Link}
		return nil
	}
	if len(f.Text) == 0 {
		return nil // the packer makes a folder of an empty file
	}
	mode := file{mode: 0o644, text: f.Text}
	if f.Exec {
		mode.mode = 0o755
	}
	if _, ok := r.files[name]; ok {
		return fmt.Errorf("two packages have %s", name)
	}
	r.files[name] = mode
	return nil
}
