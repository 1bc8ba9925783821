package agent

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/prompt64/prompt64/appliance/agent/fetch"
	"github.com/prompt64/prompt64/appliance/privsep"
)

// Stage is what an installation is at.
type Stage string

// The stages, in their order.
const (
	Downloading Stage = "downloading"
	Checking    Stage = "checking the digest"
	Unpacking   Stage = "unpacking"
	Testing     Stage = "testing"
	Switching   Stage = "switching"
)

// Progress tells how far an installation is.
type Progress struct {
	Stage       Stage
	Detail      string // a file, or why it is tried again
	Done, Total int64  // bytes; Total is below 1 if unknown
}

// Test tries a program and returns in words why it does not work.
type Test func(context.Context, Trial) error

// Installer installs agents. Store must be set.
type Installer struct {
	Store    Store
	Target   Target // empty: this machine
	Client   *http.Client
	Progress func(Progress)
	// Tests try a version before it becomes the current one; Again is tried
	// once more after that. The default is SelfTest and its handshake.
	Tests []Test
	Again Test
	// User runs what is tried; nil: whoever runs this program.
	User *privsep.User

	table []Release
	disk  disk
	free  func(dir string) (int64, error)
	clock func() time.Time
	fetch fetch.Fetcher // what tests change of it
}

// Install installs a version and makes it the current one. The one that was
// current stays as the former; older ones go. On any error the version that was
// current still is.
func (in Installer) Install(ctx context.Context, req Request) (Version, error) {
	if err := in.complete(); err != nil {
		return Version{}, fmt.Errorf("install: %w", err)
	}
	p, err := resolve(req, in.Target, in.table)
	if err != nil {
		return Version{}, fmt.Errorf("install: %w", err)
	}
	v, err := in.install(ctx, p)
	if err != nil {
		return Version{}, fmt.Errorf("install %s %s: %w", p.agent, p.version, err)
	}
	return v, nil
}

// complete fills in what the caller left open.
func (in *Installer) complete() error {
	if in.Target == (Target{}) {
		in.Target = ThisMachine()
	}
	if in.Progress == nil {
		in.Progress = func(Progress) {}
	}
	if in.Tests == nil {
		in.Tests = []Test{Handshake, Sandbox}
	}
	if in.Again == nil {
		in.Again = Handshake
	}
	if in.disk == nil {
		in.disk = realDisk{}
	}
	if in.free == nil {
		in.free = FreeSpace
	}
	if in.clock == nil {
		in.clock = time.Now
	}
	if in.table == nil {
		var err error
		in.table, err = parseKnown(knownTable)
		return err
	}
	return nil
}

func (in *Installer) install(ctx context.Context, p plan) (Version, error) {
	f := in.Store.folder(p.agent)
	for _, name := range []string{versionsDir, stagingDir, downloadDir} {
		if err := in.disk.MakeDir(f.path(name)); err != nil {
			return Version{}, err
		}
	}
	lock, err := f.lock()
	if err != nil {
		return Version{}, err
	}
	defer lock.Close()
	if err := in.sweep(f); err != nil {
		return Version{}, err
	}
	name, err := in.present(p)
	if err == nil && name == "" {
		name, err = in.add(ctx, f, p)
	} else if err == nil {
		err = in.try(ctx, f.trial(p.version, versionsDir, name))
	}
	if err != nil {
		return Version{}, err
	}
	if err := in.change(ctx, f, name, p.version); err != nil {
		return Version{}, err
	}
	return in.find(p.agent, name)
}

// present returns the name of the version that is asked for, if it is there and
// undamaged: changing back needs no download.
func (in *Installer) present(p plan) (string, error) {
	list, err := in.Store.List(p.agent)
	if err != nil {
		return "", err
	}
	in.Progress(Progress{Stage: Checking})
	for _, v := range list {
		fits := slices.ContainsFunc(p.digests, func(d fetch.Digest) bool { return d.String() == v.receipt.Archive })
		if v.Version == p.version && fits && v.receipt.damage(v.Dir) == "" {
			return v.name(), nil
		}
	}
	return "", nil
}

// try runs the tests.
func (in *Installer) try(ctx context.Context, t Trial) error {
	in.Progress(Progress{Stage: Testing})
	t.User = in.User
	for _, test := range in.Tests {
		if err := test(ctx, t); err != nil {
			return fmt.Errorf("it does not work here, so nothing was changed: %w", err)
		}
	}
	return nil
}
