package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/firstboot"
	"github.com/prompt64/prompt64/appliance/supervisor"
	"github.com/prompt64/prompt64/frames/framestest"
)

// lost is a machine whose card cannot be found.
type lost struct {
	firstboot.System
	err error
}

func (l lost) Find(string) (firstboot.Place, error) { return firstboot.Place{}, l.err }

func TestStorageThatCannotGrowKeepsNothingFromStarting(t *testing.T) {
	for err, want := range map[error]string{firstboot.ErrNoCard: "", errors.New("the card is worn out"): "worn out"} {
		var log bytes.Buffer
		if got := grow(lost{err: err}, slog.New(slog.NewTextHandler(&log, nil))); !errors.Is(got, supervisor.ErrDone) {
			t.Errorf("it ends with %v", got)
		}
		if got := log.String(); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("of %v it says %q", err, got)
		}
	}
	if a := (&app{}); a.growPart().Service != nil {
		t.Error("a workstation's disk is grown")
	}
}

// endless is a card that is grown until it is told to stop.
type endless struct {
	firstboot.System
	begun, stop chan struct{}
}

func (e endless) Find(string) (firstboot.Place, error) {
	close(e.begun)
	<-e.stop
	return firstboot.Place{}, firstboot.ErrNoCard
}

// Growing may take minutes on a slow or large card. The guard would have a bridge that
// does not answer started again.
func TestDeviceAnswersWhileItsStorageGrows(t *testing.T) {
	o, err := parseServe(streams{out: io.Discard, err: io.Discard},
		[]string{"-device", "-data", t.TempDir(), "-listen", "127.0.0.1:0", "-web", "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	card := endless{begun: make(chan struct{}), stop: make(chan struct{})}
	o.boot, o.storage, o.machine.grows = config.BootFolder(t.TempDir()), nil, card
	a, err := startApp(t.Context(), o, silent)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		close(card.stop)
		if err := a.close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	<-card.begun
	res, err := http.Get("http://" + a.webAddr().String() + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("the pages answer %s", res.Status)
	}
	c := framestest.New(framestest.Config{Dial: func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", a.bridgeAddr().String())
	}})
	defer c.Close()
	if err := c.Connect(t.Context()); err != nil {
		t.Errorf("the bridge: %v", err)
	}
}

// wrongClock is one that can be set, or not.
type wrongClock struct {
	now time.Time
	err error
}

func (w *wrongClock) Now() time.Time { return w.now }
func (w *wrongClock) Set(now time.Time) error {
	w.now = now
	return w.err
}

func TestClockThatWasPutForwardIsToldOf(t *testing.T) {
	old := stamped
	stamped = "v0.0.0-20261130180000-abcdefabcdef"
	defer func() { stamped = old }()
	var log bytes.Buffer
	clock := &wrongClock{now: time.Unix(5, 0)}
	if !floorClock(clock, slog.New(slog.NewTextHandler(&log, nil))) || clock.now.Year() != 2026 || !strings.Contains(log.String(), "clock is not set") {
		t.Errorf("it is %v: %s", clock.now, &log)
	}
	if floorClock(clock, silent) {
		t.Error("it was put forward twice")
	}
	if !floorClock(&wrongClock{err: errors.New("not permitted")}, slog.New(slog.NewTextHandler(&log, nil))) || !strings.Contains(log.String(), "not permitted") {
		t.Errorf("it does not say that it failed: %s", &log)
	}
}
