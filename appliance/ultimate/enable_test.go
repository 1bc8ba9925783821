package ultimate_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/ultimate"
	"github.com/prompt64/prompt64/appliance/ultimate/ultimatetest"
)

func TestEnableSwitchesOnAndSavesOnlyThat(t *testing.T) {
	for name, m := range map[string]ultimatetest.Model{"elite": ultimatetest.Elite(), "plus": ultimatetest.Plus(), "c64": ultimatetest.C64()} {
		t.Run(name, func(t *testing.T) {
			u, c, d := one(t, m)
			wantError(t, c.Enable(within(t), d), "")
			if now, saved := u.Enabled(); !now || !saved {
				t.Errorf("it is on: %v, saved: %v", now, saved)
			}
			for _, r := range u.Requests() {
				if strings.HasPrefix(r, "PUT") && !strings.HasPrefix(r, "PUT /v1/configs/C") {
					t.Errorf("it was asked %s", r)
				}
			}
			if len(u.Programs()) > 0 {
				t.Error("the C64 was reset")
			}
		})
	}
}

func TestEnableLeavesADeviceAloneThatIsOn(t *testing.T) {
	u, c, d := one(t, ultimatetest.Elite())
	u.SetEnabled(true)
	wantError(t, c.Enable(within(t), d), "")
	if got := u.Requests(); slices.ContainsFunc(got, func(r string) bool { return !strings.HasPrefix(r, "GET") }) {
		t.Errorf("it was asked %v", got)
	}
}

func TestEnableSaysWhatDidNotHappen(t *testing.T) {
	unsaved := ultimatetest.Elite()
	unsaved.SaveAll = true
	protected := ultimatetest.Elite()
	protected.Password = "moon"
	bare := ultimatetest.Elite()
	bare.Category = ""
	for name, c := range map[string]struct {
		model  ultimatetest.Model
		faults []ultimatetest.Fault
		want   ultimate.Code
		on     bool
	}{
		"not saved":       {unsaved, nil, ultimate.NotSaved, true},
		"save broke off":  {ultimatetest.Elite(), []ultimatetest.Fault{"", "", "", ultimatetest.Drop}, ultimate.NotSaved, true},
		"without effect":  {ultimatetest.Elite(), []ultimatetest.Fault{"", ultimatetest.Forgetful}, ultimate.Refused, false},
		"refused":         {ultimatetest.Elite(), []ultimatetest.Fault{"", ultimatetest.Crash}, ultimate.Refused, false},
		"set broke off":   {ultimatetest.Elite(), []ultimatetest.Fault{"", ultimatetest.Drop}, ultimate.Lost, false},
		"password needed": {protected, nil, ultimate.PasswordNeeded, false},
		"no such setting": {bare, nil, ultimate.NoInterface, false},
	} {
		t.Run(name, func(t *testing.T) {
			u, client, d := one(t, c.model)
			d.Password = config.Secret{}
			u.Next(c.faults...)
			wantError(t, client.Enable(within(t), d), c.want)
			if now, _ := u.Enabled(); now != c.on {
				t.Errorf("it is on: %v", now)
			}
		})
	}
}

func TestEndOfTheContextEndsARequest(t *testing.T) {
	u, c, d := one(t, ultimatetest.Elite())
	gone := errors.New("the page was closed")
	for name, do := range map[string]func(context.Context) error{
		"look":   func(ctx context.Context) error { _, err := c.Look(ctx, d); return err },
		"enable": func(ctx context.Context) error { return c.Enable(ctx, d) },
		"run":    func(ctx context.Context) error { return c.Run(ctx, d, make([]byte, 10)) },
	} {
		u.Next(ultimatetest.Silent)
		before := len(u.Requests())
		ctx, cancel := context.WithCancelCause(within(t))
		done := make(chan error, 1)
		go func() { done <- do(ctx) }()
		waitFor(t, func() bool { return len(u.Requests()) > before })
		cancel(gone)
		if err := <-done; !errors.Is(err, gone) {
			t.Errorf("%s ends with %v", name, err)
		}
	}
}
