package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/health/checks"
	"github.com/prompt64/prompt64/appliance/provider"
)

// named is an agent that opens nothing.
type named struct {
	provider.Provider
	name   string
	opened int
}

func (n *named) Info() provider.Info { return provider.Info{Name: n.name} }

func (n *named) Open(context.Context, provider.Spec) (provider.Session, error) {
	n.opened++
	return nil, nil
}

func TestAgentWaitsForTheClockInWordsAndTheDemoDoesNot(t *testing.T) {
	why := errors.New("not yet")
	for name, waits := range map[string]bool{"codex": true, "opencode": true, "demo": false} {
		n := &named{name: name}
		trouble := why
		o := onTime{n, func() error { return trouble }}
		if _, err := o.Open(t.Context(), provider.Spec{}); errors.Is(err, why) != waits || (n.opened == 0) != waits {
			t.Errorf("%s: %v, opened %d", name, err, n.opened)
		}
		trouble = nil
		if _, err := o.Open(t.Context(), provider.Spec{}); err != nil {
			t.Errorf("%s once the clock is set: %v", name, err)
		}
	}
}

func TestUnsetClockIsSaidAndLocksNobodyOutForEver(t *testing.T) {
	built := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		wall    time.Time
		ran     time.Duration
		floored bool
		words   bool
	}{
		"1970":                            {time.Unix(60, 0), time.Minute, false, true},
		"1970, for an hour":               {time.Unix(3600, 0), time.Hour, false, true},
		"put to the build":                {built.Add(time.Minute), time.Minute, true, true},
		"put to the build, for an hour":   {built.Add(time.Hour), time.Hour, true, false},
		"put to the build, and set since": {built.Add(240 * time.Hour), time.Minute, true, false},
		"right from the start":            {built.Add(time.Hour), time.Minute, false, false},
	} {
		clock := checks.Clock{
			Wall: func() time.Time { return c.wall }, Ran: func() time.Duration { return c.ran },
			Start: built, Built: built, Floored: c.floored, Synced: func() bool { return false },
		}
		err := untimely(clock, silent)
		if (err != nil) != c.words {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && !strings.Contains(err.Error(), "not set yet") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if a := (&app{}); a.clockTrouble() != nil {
		t.Error("a workstation waits for its clock")
	}
}
