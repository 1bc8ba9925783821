package responsestest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Program finds the real Codex of a version, where scripts/setup puts it or
// where PROMPT64_CODEX says. A test without one is skipped aloud, and so is one
// of a short run.
func Program(t testing.TB, version string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the real Codex is left out of a short run")
	}
	if path := os.Getenv("PROMPT64_CODEX"); path != "" {
		if _, err := exec.LookPath(path); err != nil {
			t.Fatalf("PROMPT64_CODEX: %v", err)
		}
		return path
	}
	cache, err := os.UserCacheDir()
	if err == nil {
		path := filepath.Join(cache, "prompt64", "codex-"+version, "codex")
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skipf("THE REAL CODEX %s IS NOT INSTALLED, so nothing is tested with it: run scripts/setup, or set PROMPT64_CODEX", version)
	return ""
}

// Home makes a CODEX_HOME with the fake's Config in it, and gives the
// environment that Codex needs there: the key of Env, and a home of its own in
// place of the user's. Codex refuses a CODEX_HOME beneath its TMPDIR, so that
// is a folder beside it.
func (s *Server) Home(t testing.TB) (home string, env []string) {
	t.Helper()
	home, tmp := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(s.Config()), 0o600); err != nil {
		t.Fatalf("responsestest: %v", err)
	}
	return home, append(Env(), "TMPDIR="+tmp, "HOME="+tmp)
}
