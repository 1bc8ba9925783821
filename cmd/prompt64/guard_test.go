package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/guardlog"
)

func TestGoroutinesAreWrittenWhenTheGuardAsks(t *testing.T) {
	data := t.TempDir()
	stop := dumpOnSignal(data, silent)
	defer stop()
	if err := syscall.Kill(os.Getpid(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the goroutines", func() bool {
		text, err := os.ReadFile(filepath.Join(data, guardlog.DumpName))
		return err == nil && strings.Contains(string(text), "TestGoroutinesAreWritten")
	})
}

func TestDeviceTellsTheGuardItsPlacesAndTheOwnerWhatTheGuardDid(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	o := testOptions(t)
	o.device, o.boot = true, config.BootFolder(t.TempDir())
	if err := os.MkdirAll(o.data, 0o700); err != nil {
		t.Fatal(err)
	}
	var l guardlog.Log
	l.Add(guardlog.Entry{Moment: guardlog.Moment{Wall: time.Now()}, Action: guardlog.Restarted, Reason: "the pages do not answer"})
	if err := guardlog.Write(o.data, l); err != nil {
		t.Fatal(err)
	}
	a, err := startApp(t.Context(), o, silent)
	if err != nil {
		t.Fatal(err)
	}
	places := guardlog.ReadPlaces(guardlog.PlacesFile(), guardlog.Places{})
	if places.Bridge != a.bridgeAddr().String() || places.Pages != a.webAddr().String() {
		t.Errorf("places %+v", places)
	}
	status := strings.Join(a.statusRows("10.0.0.1"), "\n")
	if !strings.Contains(status, "GUARD: the pages do not answer (restarted the bridge)") || !strings.Contains(status, "from 10.0.0.1") {
		t.Errorf("STATUS\n%s", status)
	}
	if p := strings.Join(a.problems(), "\n"); !strings.Contains(p, "the pages do not answer") {
		t.Errorf("the pages say %q", p)
	}
	if err := a.close(t.Context()); err != nil {
		t.Error(err)
	}
}
