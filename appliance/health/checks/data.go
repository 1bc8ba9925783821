package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/health"
)

// Free space below which somebody is told.
const (
	littleSpace = 256 << 20 // an agent's update does not fit any more
	noSpace     = 8 << 20   // nor do its records of a day
)

// Data looks at the data folder.
type Data struct {
	Dir   string
	Free  func(dir string) (int64, error) // bytes
	Write func(dir string) error          // tries to write and sync a file there
	// Damage says what is wrong with what the folder lies on; empty: nothing is. nil:
	// that is not known.
	Damage func() string
	Remedy string // what to do about that
}

// DataFolder is a folder of this machine.
func DataFolder(dir string) Data { return Data{Dir: dir, Free: agent.FreeSpace, Write: tryWrite} }

// tryWrite writes a file and removes it.
func tryWrite(dir string) (err error) {
	f, err := os.CreateTemp(dir, ".doctor-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	_, err = f.WriteString("This file may be removed.\n")
	return errors.Join(err, f.Sync(), f.Close())
}

// Probe returns the data folder's probe.
func (d Data) Probe() health.Probe {
	return probe(health.Data, "Data folder", func(context.Context) health.Node { return d.check() })
}

func (d Data) check() health.Node {
	if d.Damage != nil {
		if words := d.Damage(); words != "" {
			return fail(d.Remedy, "%s", words)
		}
	}
	err := d.Write(d.Dir)
	free, freeErr := d.Free(d.Dir)
	space := fmt.Sprintf("%d MB are free", free/1_000_000)
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fail("Delete workspaces that you no longer need.", "%s is full: nothing can be kept", d.Dir)
	case errors.Is(err, syscall.EROFS):
		return fail("Switch off and on again. If it stays like this, the card is worn out: write a new one.", "%s is read-only: nothing can be kept", d.Dir)
	case errors.Is(err, fs.ErrNotExist):
		return fail("Start the bridge once: it makes the folder.", "there is no folder %s", d.Dir)
	case errors.Is(err, fs.ErrPermission):
		n := fail("Make it writable for the bridge's user.", "%s may not be written", d.Dir)
		n.Shell = "Make it writable for the bridge's user, or choose another folder with -data DIR."
		return n
	case err != nil:
		return fail("The card or disk may be worn out: copy what matters, and try another one.", "%s cannot be written: %v", d.Dir, err)
	case freeErr != nil:
		return warn("", "%s can be written; how much is free is not known: %v", d.Dir, freeErr)
	case free < noSpace:
		return fail("Delete workspaces that you no longer need.", "%s: only %s", d.Dir, space)
	case free < littleSpace:
		return warn("Delete workspaces that you no longer need.", "%s: only %s", d.Dir, space)
	}
	return ok("%s: %s", d.Dir, space)
}
