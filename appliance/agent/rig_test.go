package agent

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/agent/agenttest"
	"github.com/prompt64/prompt64/appliance/agent/fetch"
	"github.com/prompt64/prompt64/appliance/leaks"
)

func TestMain(m *testing.M) {
	agenttest.Main()
	leaks.Main(m)
}

// lazyDisk leaves it to the system when bytes reach the disk, which a test
// without a power cut does not notice.
type lazyDisk struct{ realDisk }

func (lazyDisk) Sync(path string) error {
	_, err := os.Stat(path)
	return err
}

var pi = Target{"linux", "arm64"}

// rig is a data folder and an installer for it whose tests are quick.
type rig struct {
	t    *testing.T
	data string
	in   Installer
}

func newRig(t *testing.T) *rig {
	r := &rig{t: t, data: t.TempDir()}
	r.in = Installer{
		Store:  Open(r.data),
		Target: pi,
		Tests:  []Test{works},
		Again:  works,
		disk:   lazyDisk{},
		clock:  stepping(),
		fetch:  fetch.Fetcher{Wait: func(context.Context, time.Duration) error { return nil }},
	}
	return r
}

// stepping is a clock that moves a minute each time it is read.
func stepping() func() time.Time {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return func() time.Time {
		now = now.Add(time.Minute)
		return now
	}
}

// works is a test that a program passes by being there.
func works(_ context.Context, t Trial) error {
	_, err := os.Stat(t.Program)
	return err
}

func fails(context.Context, Trial) error { return errors.New("it coughs") }

// archives keeps what archive has made: packing takes its time.
var archives sync.Map

// archive writes a release archive and returns a request for it.
func (r *rig) archive(c agenttest.Codex) Request {
	r.t.Helper()
	data, ok := archives.Load(c)
	if !ok {
		data, _ = archives.LoadOrStore(c, agenttest.Archive(r.t, "tar.gz", c.Entries(r.t, "")))
	}
	return r.keep(c.Version, data.([]byte))
}

// keep writes an archive to a file and returns a request for it.
func (r *rig) keep(version string, data []byte) Request {
	r.t.Helper()
	path := filepath.Join(r.t.TempDir(), "archive")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		r.t.Fatal(err)
	}
	digest, err := fetch.ParseDigest(agenttest.Digest(data))
	if err != nil {
		r.t.Fatal(err)
	}
	return Request{Agent: Codex, Version: version, From: path, Digest: &digest}
}

func (r *rig) install(version string) Version {
	r.t.Helper()
	v, err := r.in.Install(r.t.Context(), r.archive(agenttest.Codex{Version: version}))
	if err != nil {
		r.t.Fatal(err)
	}
	return v
}

func (r *rig) refused(req Request, words string) {
	r.t.Helper()
	if _, err := r.in.Install(r.t.Context(), req); err == nil || !strings.Contains(err.Error(), words) {
		r.t.Errorf("installed with %v, want %q", err, words)
	}
}

// current returns the version that a bridge would start, empty if there is none,
// and fails unless it is whole.
func (r *rig) current() string {
	r.t.Helper()
	p, err := r.in.Store.Use(Codex)
	if errors.Is(err, ErrNotInstalled) {
		return ""
	}
	if err != nil {
		r.t.Fatal(err)
	}
	defer p.Close()
	dir := filepath.Dir(filepath.Dir(p.Path))
	receipt, err := readReceipt(dir)
	if err != nil {
		r.t.Fatal(err)
	}
	if bad := receipt.damage(dir); bad != "" || len(receipt.Files) != 5 {
		r.t.Fatalf("version %s: %d files, %s", p.Version, len(receipt.Files), bad)
	}
	return p.Version
}

// versions returns the installed versions, in the order of List.
func (r *rig) versions() string {
	r.t.Helper()
	list, err := r.in.Store.List(Codex)
	if err != nil {
		r.t.Fatal(err)
	}
	var names []string
	for _, v := range list {
		names = append(names, v.Version)
	}
	return strings.Join(names, " ")
}

// litter returns what lies about in staging and download.
func (r *rig) litter() []string {
	r.t.Helper()
	var found []string
	for _, dir := range []string{stagingDir, downloadDir} {
		entries, err := os.ReadDir(r.in.Store.folder(Codex).path(dir))
		if err != nil && !os.IsNotExist(err) {
			r.t.Fatal(err)
		}
		for _, e := range entries {
			found = append(found, e.Name())
		}
	}
	return found
}
