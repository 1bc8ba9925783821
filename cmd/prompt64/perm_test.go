package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/firstboot"
)

// brittle is a card whose /perm is as it says.
type brittle struct {
	is  firstboot.Condition
	err error // of what is done to it
	did []string
}

var _ firstboot.Storage = (*brittle)(nil)

func (b *brittle) Card(mount string) (firstboot.Place, error) {
	return firstboot.Place{Mount: mount}, nil
}

func (b *brittle) Condition(firstboot.Place) (firstboot.Condition, error) { return b.is, nil }
func (b *brittle) Format(p firstboot.Place) error                         { return b.note("format " + p.Mount) }
func (b *brittle) Spoil(p firstboot.Place) error                          { return b.note("spoil " + p.Mount) }
func (b *brittle) Restart() error                                         { return b.note("restart") }

func (b *brittle) note(what string) error {
	b.did = append(b.did, what)
	return b.err
}

// withCard are a device's options with this card, and a file that asks for a reset.
func withCard(t *testing.T, b *brittle) serveOptions {
	t.Helper()
	boot := t.TempDir()
	if err := os.WriteFile(filepath.Join(boot, "prompt64-reset"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return serveOptions{device: true, storage: b, boot: config.BootFolder(boot)}
}

func TestDeviceThatIsMadeAnewWaitsForItsEnd(t *testing.T) {
	b := &brittle{}
	ctx, end := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, end)
	if !withCard(t, b).revive(ctx, silent) || ctx.Err() == nil || !slices.Equal(b.did, []string{"format /perm", "restart"}) {
		t.Errorf("it did %q", b.did)
	}
}

// init may not listen: then the device is as before, and somebody can read why.
func TestDeviceThatDoesNotEndGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		if withCard(t, &brittle{}).revive(t.Context(), slog.New(slog.NewTextHandler(&log, nil))) || !strings.Contains(log.String(), "and did not") {
			t.Errorf("it ends: %s", &log)
		}
	})
}

func TestDeviceThatCannotBeMadeAnewGoesOnAndSaysSo(t *testing.T) {
	var log bytes.Buffer
	b := &brittle{err: errors.New("worn out")}
	if withCard(t, b).revive(t.Context(), slog.New(slog.NewTextHandler(&log, nil))) || !strings.Contains(log.String(), "worn out") {
		t.Errorf("it ends: %s", &log)
	}
	whole := &brittle{is: firstboot.Condition{Mounted: true}}
	if withCard(t, whole).revive(t.Context(), silent) || (serveOptions{}).revive(t.Context(), silent) || len(whole.did) > 0 {
		t.Errorf("what is whole, or no device, was made anew: %q", whole.did)
	}
}

// A /perm that cannot be mounted is a folder that cannot be written. The device must
// say what is wrong, and open nothing to whoever comes first.
func TestDeviceWithADamagedPermSaysSoAndStaysClosed(t *testing.T) {
	perm := filepath.Join(t.TempDir(), "perm")
	if err := os.WriteFile(perm, nil, 0o600); err != nil { // no folder can be made here
		t.Fatal(err)
	}
	o, err := parseServe(streams{out: io.Discard, err: io.Discard},
		[]string{"-device", "-data", filepath.Join(perm, "prompt64"), "-listen", "127.0.0.1:0", "-web", "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	b := &brittle{}
	o.boot, o.storage = config.BootFolder(t.TempDir()), b
	a, err := startApp(t.Context(), o, silent)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	if state := a.settings.State(); state.Source != config.Lost || state.Setup {
		t.Errorf("the settings are %+v", state)
	}
	me := newOwner(t, a.webAddr().String())
	for path, want := range map[string]string{"/": "SETTINGS LOST", "/welcome": "SETTINGS LOST"} {
		if page, where := me.read(path); where != "/" || !strings.Contains(page, want) || !strings.Contains(page, "data partition (/perm) is damaged") || !strings.Contains(page, "prompt64-reset") {
			t.Errorf("%s leads to %s: %s", path, where, page)
		}
	}
	if status := strings.Join(a.statusRows("127.0.0.1"), "\n"); !strings.Contains(status, "TROUBLE: the card's data partition (/perm) is damaged") || strings.Contains(status, "cannot be written") {
		t.Errorf("STATUS says %s", status)
	}
	found, err := askBridge(t.Context(), a.webAddr().String())
	if n, bad := found.Trouble(); err != nil || !bad || !strings.Contains(found.Text(), "is damaged") || !strings.Contains(found.Text(), "prompt64-reset") {
		t.Errorf("doctor says %+v, %v", n, err)
	}
	if err := a.erase()(); err != nil || !slices.Equal(b.did, []string{"format /perm", "restart"}) {
		t.Errorf("a signed in owner's wish: %v, %q", err, b.did)
	}
}
