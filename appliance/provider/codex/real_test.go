package codex

import (
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
	env       []string
	workspace string
	other     string
}

// newRealWorld makes one.
func newRealWorld(t *testing.T) *realWorld {
	t.Helper()
	binary := realCodex(t)
	w := &realWorld{t: t, binary: binary, api: responsestest.New(), workspace: t.TempDir(), other: t.TempDir()}
	t.Cleanup(w.api.Close)
	w.home, w.env = w.api.Home(t)
	return w
}

// config is the provider's.
func (w *realWorld) config() Config {
	return Config{
		Argv: []string{w.binary, "app-server"}, Home: w.home,
		Env: w.env, // with a home of its own, so that no profile of the user's runs
	}
}

func (w *realWorld) open() (provider.Provider, error) { return New(w.config()) }

// realCodex finds the program that scripts/setup installs.
func realCodex(t *testing.T) string { return responsestest.Program(t, KnownVersion) }
