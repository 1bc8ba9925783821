package agent

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/prompt64/prompt64/appliance/agent/fetch"
	"github.com/prompt64/prompt64/appliance/agent/unpack"
)

// add brings a version into the versions folder and returns its name there.
func (in *Installer) add(ctx context.Context, f folder, p plan) (string, error) {
	a, err := in.obtain(ctx, f, p)
	if err != nil {
		return "", err
	}
	defer a.Close()
	staged := f.path(stagingDir, "new")
	if err := in.unpack(ctx, a, p, staged); err != nil {
		return "", fmt.Errorf("nothing was changed: %w", err)
	}
	if err := in.try(ctx, f.trial(p.version, stagingDir, "new")); err != nil {
		_ = in.disk.RemoveAll(staged) // or the next installation does it
		return "", err
	}
	name := freeName(f, fmt.Sprintf("%s-%s", p.version, a.digest.String()[:8]))
	if err := in.disk.Rename(staged, f.path(versionsDir, name)); err != nil {
		return "", err
	}
	if err := in.disk.Sync(f.path(versionsDir)); err != nil {
		return "", err
	}
	return name, in.disk.Sync(f.path(stagingDir))
}

// unpack writes the wanted files and their receipt, all on the disk.
func (in *Installer) unpack(ctx context.Context, a *archive, p plan, dir string) error {
	if err := in.room(folder(path.Dir(dir)), p.room(a.size)); err != nil {
		return err
	}
	if err := in.disk.MakeDir(dir); err != nil {
		return err
	}
	r := receipt{Agent: p.agent, Version: p.version, Archive: a.digest.String(), Installed: in.clock().UTC()}
	made := map[string]bool{dir: true, path.Join(dir, receiptName): true}
	sink := func(f unpack.File, size int64, from io.Reader) error {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		in.Progress(Progress{Stage: Unpacking, Detail: f.Name, Total: size})
		target := path.Join(dir, f.Name)
		if err := in.disk.MakeDir(path.Dir(target)); err != nil {
			return err
		}
		made[path.Dir(target)], made[target] = true, true
		sum := sha256.New()
		if err := in.disk.WriteFile(target, f.Executable, io.TeeReader(from, sum)); err != nil {
			return err
		}
		r.Files = append(r.Files, receiptFile{Name: f.Name, Bytes: size, SHA256: fetch.Digest(sum.Sum(nil)).String()})
		return nil
	}
	if err := unpack.Unpack(a, wantedFiles, roots(p.triple), unpack.DefaultLimits, sink); err != nil {
		return err
	}
	text, err := r.encode()
	if err != nil {
		return err
	}
	if err := in.disk.WriteFile(path.Join(dir, receiptName), false, bytes.NewReader(text)); err != nil {
		return err
	}
	for name := range made {
		if err := in.disk.Sync(name); err != nil {
			return err
		}
	}
	return nil
}

// freeName returns the first name that no version has: one that is damaged keeps
// its own until it is removed.
func freeName(f folder, name string) string {
	free := name
	for i := 2; ; i++ {
		if _, err := os.Lstat(f.path(versionsDir, free)); errors.Is(err, fs.ErrNotExist) {
			return free
		}
		free = fmt.Sprintf("%s.%d", name, i)
	}
}
