package ultimate_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/ultimate"
	"github.com/prompt64/prompt64/appliance/ultimate/ultimatetest"
	"github.com/prompt64/prompt64/c64prg"
)

// waitFor waits for a condition that others bring about.
func waitFor(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it did not come to that")
		}
	}
}

// program is the C64's program for a bridge that the device sees at this address.
func program(t *testing.T, f ultimate.Found) []byte {
	t.Helper()
	cfg, err := c64prg.Read(c64prg.Program())
	if err != nil {
		t.Fatal(err)
	}
	cfg.Host, cfg.Port = f.Own.String(), 6464
	prg, err := c64prg.Patch(c64prg.Program(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return prg
}

func TestProgramArrivesWithTheBridgesAddressAsTheDeviceSeesIt(t *testing.T) {
	for name, m := range map[string]ultimatetest.Model{"elite": ultimatetest.Elite(), "plus": ultimatetest.Plus()} {
		t.Run(name, func(t *testing.T) {
			u, c, d := one(t, m)
			prg := program(t, look(t, c, d))
			wantError(t, c.Run(within(t), d, prg), "")
			got := u.Programs()
			if len(got) != 1 || !bytes.Equal(got[0], prg) {
				t.Fatalf("it got %d programs", len(got))
			}
			if cfg, err := c64prg.Read(got[0]); err != nil || !strings.HasPrefix(cfg.Host, "127.") {
				t.Errorf("it would dial %+v, %v", cfg, err)
			}
		})
	}
}

func TestProgramIsSentAgainOnlyAfterARefusal(t *testing.T) {
	for name, c := range map[string]struct {
		faults []ultimatetest.Fault
		want   ultimate.Code
		runs   int
		asked  int
	}{
		"busy for a moment":   {[]ultimatetest.Fault{ultimatetest.Busy, ultimatetest.Busy}, "", 1, 3},
		"busy for ever":       {[]ultimatetest.Fault{ultimatetest.Busy, ultimatetest.Busy, ultimatetest.Busy, ultimatetest.Busy, ultimatetest.Busy}, ultimate.Busy, 0, 4},
		"lost before it ran":  {[]ultimatetest.Fault{ultimatetest.Drop}, ultimate.Lost, 0, 1},
		"lost after it ran":   {[]ultimatetest.Fault{ultimatetest.DropLater}, ultimate.Lost, 1, 1},
		"answer cut":          {[]ultimatetest.Fault{ultimatetest.Cut}, ultimate.Lost, 0, 1},
		"refused":             {[]ultimatetest.Fault{ultimatetest.Crash}, ultimate.Refused, 0, 1},
		"sent somewhere else": {[]ultimatetest.Fault{ultimatetest.Redirect}, ultimate.Strange, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			u, client, d := one(t, ultimatetest.Elite())
			u.Next(c.faults...)
			wantError(t, client.Run(within(t), d, []byte{1, 8, 0}), c.want)
			if len(u.Programs()) != c.runs || len(u.Requests()) != c.asked {
				t.Errorf("it ran %d programs after %v", len(u.Programs()), u.Requests())
			}
		})
	}
}

func TestRunRefusesWhatIsNoProgram(t *testing.T) {
	u, c, d := one(t, ultimatetest.Elite())
	for _, size := range []int{0, 2, 3 + 64<<10} {
		wantError(t, c.Run(within(t), d, make([]byte, size)), ultimate.BadProgram)
	}
	if len(u.Requests()) > 0 {
		t.Errorf("it was asked %v", u.Requests())
	}
}

func TestDeviceGetsOneRequestAtATime(t *testing.T) {
	u, c, d := one(t, ultimatetest.Elite())
	ctx := within(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { _, _ = c.Look(ctx, d) })
		all.Go(func() { _ = c.Run(ctx, d, []byte{1, 8, 0}) })
	}
	all.Wait()
	if u.AtOnce() != 1 || len(u.Programs()) != 8 {
		t.Errorf("%d requests at once, %d programs", u.AtOnce(), len(u.Programs()))
	}
}

func TestPasswordIsNeverPartOfAnErrorOrALogLine(t *testing.T) {
	const password = "Moonlight-64"
	m := ultimatetest.Elite()
	m.Password = "another"
	u, c, d := one(t, m)
	d.Password = config.NewSecret(password)
	var shown strings.Builder
	log := slog.New(slog.NewJSONHandler(&shown, nil))
	for _, fault := range []ultimatetest.Fault{"", ultimatetest.Drop, ultimatetest.Garbage, ultimatetest.Redirect, ultimatetest.Crash} {
		u.Next(fault, fault)
		f := look(t, c, d)
		log.Info("looked", "found", f, "device", d, "trouble", f.Trouble)
		log.Info("ran", "err", c.Run(within(t), d, []byte{1, 8, 0}))
		fmt.Fprintf(&shown, "%v %+v %#v %q", d, f, d, f.Trouble.Error())
	}
	if strings.Contains(shown.String(), password) {
		t.Error("the password is shown")
	}
	if !strings.Contains(shown.String(), string(ultimate.PasswordWrong)) {
		t.Error("the log does not say what was wrong")
	}
}
