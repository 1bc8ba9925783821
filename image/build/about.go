package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/prompt64/prompt64/appliance/update/bundle"
	"github.com/prompt64/prompt64/appliance/update/card"
)

// oldest is the oldest version that a device takes after this one. It is raised
// when an older one could not read what this one writes.
const oldest = "v0.0.0-0"

// addAbout says in the image what it is, and whose updates it believes.
func (r *rootFiles) addAbout(ctx context.Context, o Options, date time.Time) error {
	version, err := imageVersion(ctx, o, date)
	if err != nil {
		return err
	}
	about, err := json.MarshalIndent(card.About{Board: o.Board.Name, Arch: o.Board.Arch, Version: version, Minimum: oldest}, "", "\t")
	if err != nil {
		return err
	}
	r.text(card.AboutFile, string(about)+"\n")
	return r.addKeys(o)
}

// imageVersion is the version for comparing images: the one that was asked for, or
// one that grows with the time of the commit, as Go makes them.
func imageVersion(ctx context.Context, o Options, date time.Time) (string, error) {
	if o.Version != "" {
		if !semver.IsValid(o.Version) {
			return "", fmt.Errorf("version %q: it looks like v1.2.3", o.Version)
		}
		return o.Version, nil
	}
	cmd := exec.CommandContext(ctx, "git", "rev-parse", "HEAD")
	cmd.Dir = o.Project
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("ask git for the commit: %w; without git, name a version", err)
	}
	return module.PseudoVersion("v0", "", date, strings.TrimSpace(string(out))[:12]), nil
}

// addKeys puts in the public keys that updates are believed to be signed with.
func (r *rootFiles) addKeys(o Options) error {
	if o.Keys != "" {
		keys, err := bundle.LoadKeys(os.DirFS(o.Keys), ".")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w", o.Keys, err)
		}
		for _, key := range keys {
			name := key.Name + ".pub"
			r.files[path.Join(card.KeysFolder, name)] = file{mode: 0o644, from: filepath.Join(o.Keys, name)}
		}
		if len(keys) > 0 {
			return nil
		}
	}
	r.missing = append(r.missing, "updates over the network: there is no key to believe them by; make one with scripts/bundle --make-keys, then build again")
	return nil
}
