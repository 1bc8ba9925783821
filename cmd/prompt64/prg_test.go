package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestProgramGoesThroughALinkAndIntoAPipe(t *testing.T) {
	dir := t.TempDir()
	file, link, pipe := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	if err := os.WriteFile(file, []byte("old, and longer"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	if err := writeProgram(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "new" {
		t.Errorf("behind the link: %q, %v", text, err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := writeProgram(pipe, []byte("new")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 3)
	if _, err := reader.Read(got); err != nil || string(got) != "new" {
		t.Errorf("out of the pipe: %q, %v", got, err)
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe was replaced: %v, %v", info, err)
	}
}

func TestProgramThatCannotBeWrittenSaysWhy(t *testing.T) {
	dir := t.TempDir()
	if err := writeProgram(dir, nil); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("into a folder: %v", err)
	}
	if err := writeProgram(filepath.Join(dir, "no", "file"), nil); err == nil {
		t.Error("into a folder that is not there: no error")
	}
}
