package support

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
)

// diskRig is a Disk in a folder, and the log that it keeps.
func diskRig(t *testing.T) (*Disk, *slog.Logger, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "logs")
	l := NewLog(&bytes.Buffer{}, &Redactor{})
	log := slog.New(l.Handler(slog.LevelInfo))
	return NewDisk(dir, l, log, nil), log, dir
}

func read(t *testing.T, elems ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(elems...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWarningsAreKeptOnTheCardUpToTheLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, log, dir := diskRig(t)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- d.Serve(ctx) }()
		log.Info("never mind")
		log.Warn("one")
		synctest.Wait()
		if _, err := os.Stat(dir); err == nil {
			t.Error("it was written at once")
		}
		synctest.Wait()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if got := read(t, dir, warningsName); !strings.Contains(got, "msg=one") || strings.Contains(got, "never mind") {
			t.Errorf("kept: %s", got)
		}
	})
}

func TestCardIsNotFilledByALog(t *testing.T) {
	d, log, dir := diskRig(t)
	for i := range 40 {
		for j := range 20 {
			log.Warn(strings.Repeat("x", 500), "i", i, "j", j)
		}
		d.write()
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Fatalf("files: %v, %v", entries, err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Size() > diskFile || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v", e.Name(), info)
		}
	}
	if got := read(t, dir, warningsName); !strings.HasSuffix(strings.TrimSpace(got), "i=39 j=19") {
		t.Errorf("it ends with %q", got[len(got)-20:])
	}
	if n := strings.Count(read(t, dir, olderName)+read(t, dir, warningsName), "\n"); n < 200 {
		t.Errorf("only %d lines are kept", n)
	}
}

func TestCardThatCannotBeWrittenCostsNoLineOfMemory(t *testing.T) {
	d, log, dir := diskRig(t)
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // a file where the folder should be
		t.Fatal(err)
	}
	log.Warn("one")
	for range 3 {
		d.write()
	}
	lines, _, _ := d.log.Lines(0, slog.LevelInfo)
	if len(lines) != 2 || !strings.Contains(lines[1].Text, "cannot be kept") {
		t.Errorf("the trouble is logged once: %+v", lines)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	d.write()
	if got := read(t, dir, warningsName); strings.Count(got, "\n") != 1 || !strings.Contains(got, "msg=one") {
		t.Errorf("kept later: %s", got)
	}
}

func TestLastWordsOfACrashAreKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	for i := range crashesKept + 2 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), crashVariable+"="+dir)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "these were my last words") {
			t.Fatalf("it did not crash: %v\n%s", err, out)
		}
		if want := fmt.Sprint("crashed ", i > 0, " <nil>"); !strings.Contains(string(out), want) {
			t.Errorf("start %d: %q is not in\n%s", i, want, out)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != crashesKept+1 {
		t.Errorf("files: %v, %v", entries, err)
	}
	for _, e := range entries {
		if got := read(t, dir, e.Name()); !strings.Contains(got, "these were my last words") || !strings.Contains(got, "goroutine") {
			t.Errorf("%s: %s", e.Name(), got)
		}
	}
}

func TestLongCrashIsCut(t *testing.T) {
	d, _, dir := diskRig(t)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, crashName)
	if err := os.WriteFile(path, bytes.Repeat([]byte("x"), 2*crashSize), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := d.turnOver(path); err != nil {
		t.Fatal(err)
	}
	if n := len(read(t, dir, "crash-1.txt")); n != crashSize {
		t.Errorf("%d bytes are kept", n)
	}
}
