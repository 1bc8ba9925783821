package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/guardlog"
	"github.com/prompt64/prompt64/cmd/guard/guardtest"
)

// patience is for a slow machine; nothing waits for it on a good day.
const patience = time.Minute

// device is a real process under a pretended init, and the guard that watches it
// with the real machine's hands.
type device struct {
	data string
	init *guardtest.Gokrazy
	m    *machine
	g    *guard
}

// socketPath is a place for a socket. Its name has 107 bytes at most, which a folder
// that is called after the test might take alone.
func socketPath(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "guard")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return filepath.Join(dir, "socket")
}

// newDevice starts a bridge that has the faults in its first start, or always.
func newDevice(t *testing.T, faults string) *device {
	t.Helper()
	d := &device{data: t.TempDir()}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	d.play(t, faults)
	const path = "/user/prompt64"
	socket := socketPath(t)
	d.init, err = guardtest.Start(socket, path, func() *exec.Cmd {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), playVariable+"="+d.data)
		return cmd
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.init.Close)
	newFake() // is silent
	d.m = &machine{places: filepath.Join(d.data, "places"), data: d.data, patient: patience, gokrazy: gokrazy{socket: socket, path: path}}
	d.g = newGuard(d.m)
	d.g.grace, d.g.answer = 0, patience
	if strings.Contains(faults, "dead") { // nothing else would end the wait
		d.g.answer = time.Second
	}
	if strings.Contains(faults, "deaf") {
		d.m.patient = time.Second
	}
	d.g.starting()
	d.eventually(t, "the bridge to start", func() bool { return d.places() != (guardlog.Places{}) })
	return d
}

func (d *device) play(t *testing.T, faults string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(d.data, "play"), []byte(faults), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (d *device) places() guardlog.Places {
	return guardlog.ReadPlaces(d.m.places, guardlog.Places{})
}

func (d *device) eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	if !waitFor(t.Context(), patience, is) {
		t.Fatalf("waited in vain for %s", what)
	}
}

// fails makes the rounds that end in an action.
func (d *device) fails(t *testing.T) {
	t.Helper()
	for range failures {
		d.g.round(t.Context())
	}
}

func TestProcessThatIsDeadInPartIsReplacedAndItsGoroutinesAreKept(t *testing.T) {
	for name, c := range map[string]struct{ faults, reason string }{
		"accept loop":            {"bridge-dead", "the bridge does not answer"},
		"pages":                  {"pages-dead", "the pages do not answer"},
		"pages that are ill":     {"pages-ill", "503"},
		"memory":                 {"memory", "MiB of memory"},
		"a process without ears": {"bridge-dead deaf", "the bridge does not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDevice(t, c.faults)
			d.g.memory = 80 << 20
			was := d.places()
			if c.faults == "memory" {
				d.eventually(t, "it to eat", func() bool { n, err := d.m.Memory(t.Context()); return err == nil && n > d.g.memory })
			}
			d.play(t, "") // the next start is sound
			d.fails(t)
			d.eventually(t, "a new bridge", func() bool { return d.init.Starts() > 1 && d.places() != was })
			d.eventually(t, "an answer", func() bool { return d.g.look(t.Context()) == nil })
			log, err := guardlog.Read(d.data)
			if last, ok := log.Last(); err != nil || !ok || !strings.Contains(last.Reason, c.reason) || last.Action != guardlog.Restarted {
				t.Errorf("kept as %+v, %v", last, err)
			}
			dump, err := os.ReadFile(filepath.Join(d.data, guardlog.DumpName))
			// Of a process that heeds no signal only gokrazy's last 100 lines are left.
			whole := strings.Contains(string(dump), ".play(") || strings.Contains(c.faults, "deaf")
			if err != nil || !strings.Contains(string(dump), "goroutine ") || !whole {
				t.Errorf("the goroutines are kept as %.300q, %v", dump, err)
			}
			if d.init.Reboots() > 0 {
				t.Error("the device was rebooted")
			}
		})
	}
}

// Without it a process that heeds no signal would be taken for replaced at once.
func TestProcessThatNoDumpNamedIsStillKilled(t *testing.T) {
	if os.Getenv("PROMPT64_LONG") == "" {
		t.Skip("it is given its time to end: set PROMPT64_LONG=1")
	}
	d := newDevice(t, "deaf")
	if err := d.m.Restart(t.Context()); err != nil {
		t.Error(err)
	}
	d.eventually(t, "the new process", func() bool { return d.init.Starts() == 2 })
}

func TestProcessThatIsWellIsNotTouched(t *testing.T) {
	d := newDevice(t, "")
	d.fails(t)
	d.fails(t)
	if d.init.Starts() != 1 || d.g.failed != 0 {
		t.Errorf("%d starts, %d failures", d.init.Starts(), d.g.failed)
	}
}

func TestRestartThatHelpsNothingEndsInAReboot(t *testing.T) {
	d := newDevice(t, "pages-ill")
	for range restarts - 1 {
		d.eventually(t, "the bridge", func() bool { return d.m.Bridge(t.Context()) == nil })
		d.fails(t)
	}
	if d.init.Reboots() != 0 {
		t.Fatal("too early")
	}
	d.eventually(t, "the bridge", func() bool { return d.m.Bridge(t.Context()) == nil })
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range failures {
			d.g.round(ctx)
		}
	}()
	d.eventually(t, "the reboot", func() bool { return d.init.Reboots() == 1 })
	cancel() // as gokrazy ends guard then
	<-done
	log, err := guardlog.Read(d.data)
	if last, _ := log.Last(); err != nil || last.Action != guardlog.Rebooted || len(log.Reboots) != 1 {
		t.Errorf("kept as %+v, %v", log, err)
	}
}

func TestGuardWatchesUntilItIsEnded(t *testing.T) {
	d := newDevice(t, "bridge-dead")
	d.g.every = 10 * time.Millisecond
	d.play(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.g.watch(ctx)
	}()
	d.eventually(t, "a new bridge", func() bool { return d.init.Starts() > 1 })
	cancel()
	<-done
}

// What guard cannot count it does not do, so it makes the folder of a bridge that
// never started.
func TestLogIsKeptForABridgeThatNeverMadeItsFolder(t *testing.T) {
	m := &machine{data: filepath.Join(t.TempDir(), "perm", "prompt64")}
	if err := m.Save(guardlog.Log{Boot: "b"}); err != nil {
		t.Fatal(err)
	}
	if l, err := m.Load(); err != nil || l.Boot != "b" {
		t.Errorf("kept as %+v, %v", l, err)
	}
}
