package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/agent/fetch"
	"github.com/prompt64/prompt64/appliance/provider/codex"
)

// Codex says which Codex /perm begins with.
type Codex struct {
	Version string        // empty: the one that the bridge is tested with
	Archive string        // on this computer; empty: it is fetched
	Digest  *fetch.Digest // of the archive; nil: the known one of the version
}

// withCodex is the size of an image with Codex: it takes 390 MB, and the device
// needs as much again to install another version. QEMU's model of a Pi accepts it.
const withCodex = 2 << 30

// dataFolder is where the device's bridge keeps its state in /perm.
const dataFolder = "prompt64"

// fillPerm makes the folder that /perm begins with, empty if there is nothing to
// begin with, and says what was installed in it.
func fillPerm(ctx context.Context, o Options, temp string) (folder string, installed []component, err error) {
	if o.Codex == nil {
		return o.Perm, nil, nil
	}
	folder = filepath.Join(temp, "perm")
	if err := os.Mkdir(folder, 0o755); err != nil {
		return "", nil, err
	}
	if o.Perm != "" {
		if out, err := exec.CommandContext(ctx, "cp", "-a", o.Perm+"/.", folder).CombinedOutput(); err != nil {
			return "", nil, fmt.Errorf("copy what /perm begins with: %w: %s", err, tail(out, 500))
		}
	}
	c, err := addCodex(ctx, o, filepath.Join(folder, dataFolder))
	if err != nil {
		return "", nil, fmt.Errorf("put Codex into the image: %w", err)
	}
	return folder, []component{c}, nil
}

// addCodex installs Codex in a data folder as "prompt64 agent install" does on the
// device. It is not tried, since it is for another machine than this one.
func addCodex(ctx context.Context, o Options, data string) (component, error) {
	req := agent.Request{Agent: agent.Codex, Version: o.Codex.Version, From: o.Codex.Archive, Digest: o.Codex.Digest}
	if req.Version == "" {
		req.Version = codex.KnownVersion
	}
	target := agent.Target{OS: "linux", Arch: o.Board.Arch}
	purl := "pkg:generic/codex@" + req.Version
	name, err := packageOf(req, target)
	if err != nil {
		return component{}, err
	}
	if name != "" {
		purl = "pkg:npm/" + strings.Replace(name, "@", "%40", 1)
		if req.From == "" {
			if req.From, err = packed(ctx, o, name); err != nil {
				return component{}, err
			}
		}
	}
	in := agent.Installer{
		Store: agent.Open(data), Target: target, Tests: []agent.Test{},
		Again: func(context.Context, agent.Trial) error { return nil },
	}
	v, err := in.Install(ctx, req)
	if err != nil {
		return component{}, err
	}
	c := component{Type: "application", Name: agent.Codex, Version: v.Version, PURL: purl, Hashes: sha256Of(v.Archive())}
	return c, openFolders(data)
}

// packageOf is the npm package that the archive of a version is, empty if it is
// none.
func packageOf(req agent.Request, target agent.Target) (string, error) {
	known, err := agent.Known()
	if err != nil {
		return "", err
	}
	for _, r := range known {
		if r.Agent == req.Agent && r.Version == req.Version && r.Target == target && (req.Digest == nil || *req.Digest == r.Digest) {
			return r.Package(), nil
		}
	}
	return "", nil
}

// packed fetches an npm package, unless it was fetched before. Its digest is checked
// when it is unpacked.
func packed(ctx context.Context, o Options, name string) (string, error) {
	dir := filepath.Join(o.Cache, "agents")
	to := filepath.Join(dir, strings.NewReplacer("@", "", "/", "-").Replace(name)+".tgz")
	if _, err := os.Stat(to); err == nil {
		return to, nil
	}
	o.note("    fetching %s by npm", name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(dir, ".fetch-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	cmd := exec.CommandContext(ctx, "npm", "pack", "--loglevel=error", "--pack-destination", work, name)
	cmd.Dir = work
	if out, err := cmd.CombinedOutput(); err != nil {
		why := "npm pack " + name + ": " + firstLines(out, 4)
		if errors.Is(err, exec.ErrNotFound) {
			why = "there is no npm: install it"
		}
		return "", fmt.Errorf("%s; try again where the network reaches npm's registry, or fetch the archive by other means and name it with --codex-archive", why)
	}
	found, err := filepath.Glob(filepath.Join(work, "*.tgz"))
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("npm pack %s left %d archives", name, len(found))
	}
	return to, os.Rename(found[0], to)
}

// firstLines are the first lines that say something, in one: npm says at the top what
// went wrong, and at the end where its log is.
func firstLines(out []byte, n int) string {
	var lines []string
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(strings.TrimPrefix(line, "npm error")); line != "" && len(lines) < n {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}

// openFolders lets the device's users pass through the data folder to the agents and
// start them. What is in it belongs to root, so that no agent changes itself.
func openFolders(data string) error {
	agents := filepath.Join(data, "agents")
	err := filepath.WalkDir(agents, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return os.Chmod(path, 0o755)
	})
	return errors.Join(err, os.Chmod(data, 0o711))
}
