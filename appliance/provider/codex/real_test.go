package codex

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/codex/responsestest"
)

// realWorld is the real Codex, which talks to a fake of the API.
type realWorld struct {
	t         *testing.T
	binary    string
	api       *responsestest.Server
	home      string
	tmp       string
	workspace string
	other     string
}

// newRealWorld makes one. Codex refuses a home beneath its TMPDIR, so it gets
// one of its own.
func newRealWorld(t *testing.T) *realWorld {
	t.Helper()
	binary := realCodex(t)
	w := &realWorld{t: t, binary: binary, api: responsestest.New(), home: t.TempDir(),
		tmp: t.TempDir(), workspace: t.TempDir(), other: t.TempDir()}
	t.Cleanup(w.api.Close)
	if err := os.WriteFile(filepath.Join(w.home, "config.toml"), []byte(w.api.Config()), 0o600); err != nil {
		t.Fatal(err)
	}
	return w
}

// config is the provider's.
func (w *realWorld) config() Config {
	return Config{
		Argv: []string{w.binary, "app-server"}, Home: w.home,
		// A home of its own, so that no profile of the user's runs.
		Env: append(responsestest.Env(), "TMPDIR="+w.tmp, "HOME="+w.tmp),
	}
}

func (w *realWorld) open() (provider.Provider, error) { return New(w.config()) }

// realCodex finds the program that scripts/setup installs.
func realCodex(t *testing.T) string {
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
		path := filepath.Join(cache, "prompt64", "codex-"+KnownVersion, "codex")
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skipf("THE REAL CODEX %s IS NOT INSTALLED, so nothing is tested with it: run scripts/setup, or set PROMPT64_CODEX", KnownVersion)
	return ""
}
