package ultimate_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/ultimate"
	"github.com/prompt64/prompt64/appliance/ultimate/ultimatetest"
)

// within is a context for a test that must not hang.
func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// one is a network with one device, and a client for it.
func one(t *testing.T, m ultimatetest.Model) (*ultimatetest.Ultimate, *ultimate.Client, ultimate.Device) {
	t.Helper()
	lan := ultimatetest.New(t)
	u := lan.Add(m)
	return u, lan.Client(), ultimate.Device{Address: u.Address, Password: config.NewSecret(m.Password)}
}

func look(t *testing.T, c *ultimate.Client, d ultimate.Device) ultimate.Found {
	t.Helper()
	f, err := c.Look(within(t), d)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// wantTrouble checks a code, and that there are words for a person.
func wantTrouble(t *testing.T, got *ultimate.Trouble, want ultimate.Code) {
	t.Helper()
	switch {
	case got == nil && want == "":
	case got == nil:
		t.Errorf("no trouble, want %s", want)
	case got.Code != want:
		t.Errorf("trouble %s (%v), want %q", got.Code, got, want)
	case got.Says == "" || got.Do == "":
		t.Errorf("%s does not say what is and what to do: %+v", want, got)
	}
}

// wantError is wantTrouble of an error.
func wantError(t *testing.T, err error, want ultimate.Code) {
	t.Helper()
	var got *ultimate.Trouble
	if err != nil && !errors.As(err, &got) {
		t.Errorf("%v is an error for nobody to read", err)
		return
	}
	wantTrouble(t, got, want)
}
