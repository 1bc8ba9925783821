package acp

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/prompt64/prompt64/appliance/privsep"
)

// defaultSilence is how long a turn may go on without a word from the agent until
// the user is told.
const defaultSilence = 2 * time.Minute

// Config is what New needs: a data folder, and the name of a preset or a command.
type Config struct {
	// Name is a preset's, or one of the user's own for a command without a
	// preset.
	Name string
	// Argv is the command; empty for a preset's own.
	Argv []string
	// Env is added to the environment of the bridge, as NAME=VALUE.
	Env []string
	// User runs the agent. The default is whoever runs this program.
	User *privsep.User
	// DataDir is the bridge's data folder; transcripts are kept in acp/NAME
	// within it.
	DataDir string
	// Version is the bridge's, as the agent is told.
	Version string
	// Silence is how long an agent may say nothing in a turn until the user is
	// told.
	Silence time.Duration
	// Now tells the time of a session's last turn. It orders nothing.
	Now func() time.Time
	// Logger hears of what cannot be used or stored, and at the debug level
	// what agents print.
	Logger *slog.Logger

	preset preset
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$`)

// complete checks a configuration and fills in what it leaves open.
func (c *Config) complete() error {
	if c.DataDir == "" {
		return errors.New("acp: no data folder given")
	}
	if c.Name == "" && len(c.Argv) > 0 {
		c.Name = filepath.Base(c.Argv[0])
	}
	if !plainName.MatchString(c.Name) {
		return fmt.Errorf("acp: %q is no name for an agent: use letters and digits", c.Name)
	}
	var known bool
	c.preset, known = findPreset(c.Name)
	if len(c.Argv) == 0 {
		if !known {
			return fmt.Errorf("acp: there is no agent %q: give its command, or one of %s",
				c.Name, strings.Join(Presets(), ", "))
		}
		c.Argv = c.preset.argv
	}
	if c.Argv[0] == "" {
		return errors.New("acp: the agent's command is empty")
	}
	if c.Version == "" {
		c.Version = "0"
	}
	if c.Silence <= 0 {
		c.Silence = defaultSilence
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return nil
}

// command is what the agent's program is called.
func (c *Config) command() string { return filepath.Base(c.Argv[0]) }
