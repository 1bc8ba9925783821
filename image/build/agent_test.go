package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCodexThatCannotBeFetchedSaysWhyInALine(t *testing.T) {
	for name, c := range map[string]struct {
		npm, want string
	}{
		"no network": {"#!/bin/sh\necho 'npm error code ECONNREFUSED'\nyes 'npm error   at a place in npm' | head -50\nexit 1\n", "code ECONNREFUSED"},
		"no npm":     {"", "there is no npm"},
	} {
		bin := t.TempDir()
		if c.npm != "" {
			if err := os.WriteFile(filepath.Join(bin, "npm"), []byte(c.npm), 0o755); err != nil {
				t.Fatal(err)
			}
			bin += string(filepath.ListSeparator) + os.Getenv("PATH")
		}
		t.Setenv("PATH", bin)
		_, err := packed(t.Context(), Options{Cache: t.TempDir()}, "@x/codex@1.0.0")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "--codex-archive") || len(err.Error()) > 400 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
