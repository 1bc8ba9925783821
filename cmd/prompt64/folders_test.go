package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDataFolderIsMadeForItsOwnerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b")
	data, err := openData(path)
	if err != nil {
		t.Fatal(err)
	}
	defer data.close()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestDataFolderHasOneHolderAtATime(t *testing.T) {
	path := t.TempDir()
	first, err := openData(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openData(path); err == nil || !strings.Contains(err.Error(), "another bridge") {
		t.Errorf("second holder: %v", err)
	}
	if err := first.close(); err != nil {
		t.Fatal(err)
	}
	next, err := openData(path)
	if err != nil {
		t.Fatalf("after the first let go: %v", err)
	}
	_ = next.close()
}

func TestDefaultDataFollowsTheEnvironment(t *testing.T) {
	t.Setenv("HOME", "/home/c64")
	t.Setenv("XDG_DATA_HOME", "/data")
	if got, err := defaultData(); err != nil || got != "/data/prompt64" {
		t.Errorf("%q, %v", got, err)
	}
	t.Setenv("XDG_DATA_HOME", "relative") // the rules of XDG say to ignore it
	if got, err := defaultData(); err != nil || !strings.HasPrefix(got, "/home/c64/") {
		t.Errorf("%q, %v", got, err)
	}
	t.Setenv("HOME", "")
	t.Setenv("XDG_DATA_HOME", "")
	if got, err := defaultData(); err == nil || !strings.Contains(err.Error(), "-data") {
		t.Errorf("%q, %v", got, err)
	}
}

func TestSampleWorkspaceIsMadeOnlyWithTheFolder(t *testing.T) {
	data := t.TempDir()
	dir, err := workspacesFolder(data, "", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	sample := filepath.Join(dir, "welcome", "README.md")
	if err := os.WriteFile(sample, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if again, err := workspacesFolder(data, "", slog.New(slog.DiscardHandler)); err != nil || again != dir {
		t.Fatalf("%q, %v", again, err)
	}
	if text, err := os.ReadFile(sample); err != nil || string(text) != "mine" {
		t.Errorf("the user's file was replaced: %q, %v", text, err)
	}
}

func TestDiskWithoutRoomForTheSampleCostsTheSampleAlone(t *testing.T) {
	data := t.TempDir()
	if err := makeSample(filepath.Join(data, "no", "such", "folder")); err == nil {
		t.Fatal("the sample was made nowhere")
	}
	dir := filepath.Join(data, "workspaces")
	if err := os.MkdirAll(filepath.Join(dir, "mine"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := makeSample(dir); err == nil {
		t.Error("a folder with something in it was replaced")
	}
	left, err := filepath.Glob(filepath.Join(data, ".*"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestNamedWorkspacesBecomeAbsolute(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("ws", 0o755); err != nil {
		t.Fatal(err)
	}
	if dir, err := workspacesFolder(t.TempDir(), "ws", slog.New(slog.DiscardHandler)); err != nil || !filepath.IsAbs(dir) {
		t.Errorf("%q, %v", dir, err)
	}
}
