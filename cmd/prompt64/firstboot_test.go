package main

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/firstboot"
	"github.com/prompt64/prompt64/appliance/supervisor"
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
