package codex

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/prompt64/prompt64/appliance/privsep"
)

// Config is what New needs. A DataDir or a Home must be given, unless URL is.
type Config struct {
	// Argv starts the app-server on its standard streams. The default is
	// codex app-server, found on the PATH. With ssh -T HOST codex app-server
	// the agent works on another machine: set Remote then.
	Argv []string
	// URL is the WebSocket address of an app-server that runs already, in the
	// place of Argv. It implies Remote.
	URL string
	// BearerFile holds the token for URL.
	BearerFile string
	// Remote says that workspaces are another machine's folders, so that they
	// are not looked for here.
	Remote bool
	// Home is a CODEX_HOME of the owner's, used as it is. The default is one
	// of our own within DataDir.
	Home string
	// DataDir is the bridge's data folder; our own CODEX_HOME is the folder
	// codex within it.
	DataDir string
	// User runs the app-server, and owns Home. The default is whoever runs this
	// program.
	User *privsep.User
	// Env is added to the environment of the app-server.
	Env []string
	// Model names the model; empty leaves the choice to Codex.
	Model string
	// Version is the bridge's own, which the server is told.
	Version string
	// Logger hears of what is odd. It never gets a key, a prompt or an answer.
	Logger *slog.Logger
	// Silence is how long a turn may be without any sign before the user is
	// told. The default is 120 s.
	Silence time.Duration
	// Unreachable is how long Codex may try to reach its model without any
	// success before the turn is given up. The default is 5 minutes.
	Unreachable time.Duration
}

// The defaults of Config.
const (
	defaultSilence     = 120 * time.Second
	defaultUnreachable = 5 * time.Minute
)

// withDefaults checks a Config and fills it in.
func (cfg Config) withDefaults() (Config, error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Version == "" {
		cfg.Version = "dev"
	}
	if cfg.Silence <= 0 {
		cfg.Silence = defaultSilence
	}
	if cfg.Unreachable <= 0 {
		cfg.Unreachable = defaultUnreachable
	}
	if cfg.URL != "" {
		cfg.Remote = true
		if len(cfg.Argv) > 0 {
			return cfg, errors.New("codex: give a command or an address, not both")
		}
		return cfg, checkURL(cfg.URL)
	}
	if cfg.BearerFile != "" {
		return cfg, errors.New("codex: a bearer file needs an address")
	}
	if len(cfg.Argv) == 0 {
		cfg.Argv = []string{"codex", "app-server"}
	}
	if cfg.Home == "" && cfg.DataDir == "" {
		return cfg, errors.New("codex: no data folder given")
	}
	return cfg, nil
}

func checkURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "ws" && u.Scheme != "wss") {
		return fmt.Errorf("codex: %q is no WebSocket address: it looks like ws://127.0.0.1:4500", address)
	}
	return nil
}

// ownHome reports whether the CODEX_HOME is ours to fill.
func (cfg Config) ownHome() bool { return cfg.Home == "" && cfg.URL == "" }

// home is the CODEX_HOME, empty where the other side has its own.
func (cfg Config) home() string {
	switch {
	case cfg.URL != "":
		return ""
	case cfg.Home != "":
		return cfg.Home
	}
	return filepath.Join(cfg.DataDir, "codex")
}

// environment is what the app-server gets to see: the bridge's own, without what is
// the bridge's alone, such as the pairing code. A log level of the owner's stays.
func (cfg Config) environment() []string {
	var env []string
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); name != "CODEX_HOME" && !strings.HasPrefix(name, "PROMPT64_") {
			env = append(env, pair)
		}
	}
	if os.Getenv("RUST_LOG") == "" {
		env = append(env, "RUST_LOG=warn")
	}
	return append(append(env, "CODEX_HOME="+cfg.home()), cfg.Env...)
}

// KnownVersion is the release of Codex that this package is tested with.
const KnownVersion = "0.171.0"
