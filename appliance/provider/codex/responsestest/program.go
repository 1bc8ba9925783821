package responsestest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
)

// Program finds the real Codex of a version for a test. One without it is
// skipped aloud, and so is one of a short run.
func Program(t testing.TB, version string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the real Codex is left out of a short run")
	}
	path, err := Find(version)
	if err != nil {
		t.Fatalf("responsestest: %v", err)
	}
	if path == "" {
		t.Skipf("THE REAL CODEX %s IS NOT INSTALLED, so nothing is tested with it: run scripts/setup, or set PROMPT64_CODEX", version)
	}
	return path
}

// Find is the path of the real Codex of a version, where scripts/setup-codex
// puts it or where PROMPT64_CODEX says; empty if there is none.
func Find(version string) (string, error) {
	if path := os.Getenv("PROMPT64_CODEX"); path != "" {
		_, err := exec.LookPath(path)
		if err != nil {
			err = fmt.Errorf("PROMPT64_CODEX: %w", err)
		}
		return path, err
	}
	cache, err := os.UserCacheDir()
	if err != nil { // a user without a home has no cache either
		return "", nil
	}
	path := filepath.Join(cache, "prompt64", "codex-"+version, "codex")
	if _, err := os.Stat(path); err != nil {
		return "", nil
	}
	return path, nil
}

// Home makes a CODEX_HOME with the fake's Config in it, and gives the
// environment that Codex needs there: the key of Env, and a home of its own in
// place of the user's. Codex refuses a CODEX_HOME beneath its TMPDIR, so that
// is a folder beside it.
func (s *Server) Home(t testing.TB) (home string, env []string) {
	t.Helper()
	home, tmp := t.TempDir(), t.TempDir()
	leaks.Processes(t, "TMPDIR="+tmp) // one whose bridge was killed writes until it notices
	if err := s.Furnish(home); err != nil {
		t.Fatalf("responsestest: %v", err)
	}
	return home, append(Env(), "TMPDIR="+tmp, "HOME="+tmp)
}

// Furnish makes a folder a CODEX_HOME with the fake's Config.
func (s *Server) Furnish(home string) error {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(home, "config.toml"), []byte(s.Config()), 0o600)
}
