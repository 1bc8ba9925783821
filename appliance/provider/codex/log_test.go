package codex

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
)

// logged opens a session of a scripted server and lets act end it; it returns
// the log.
func logged(t *testing.T, level slog.Level, act func(st *stage)) string {
	t.Helper()
	var log bytes.Buffer
	p := scripted(t, `printf '\033[33mWARN\033[0m odd\n' >&2; exec "$0"`, func(c *Config) {
		c.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: level}))
	})
	s, err := p.Open(t.Context(), provider.Spec{Workspace: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	act(&stage{t: t, p: p, s: s})
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	return log.String()
}

func TestOrdinaryCloseWarnsOfNothing(t *testing.T) {
	if log := logged(t, slog.LevelInfo, func(*stage) {}); strings.Contains(log, "level=WARN") || strings.Contains(log, "level=ERROR") {
		t.Errorf("it logs %q", log)
	}
}

func TestDeathOfTheServerIsWarnedOf(t *testing.T) {
	log := logged(t, slog.LevelInfo, func(st *stage) { st.play("[[crash]]") })
	if !strings.Contains(log, "level=WARN") || !strings.Contains(log, "the server is gone") || !strings.Contains(log, "out of cheese") {
		t.Errorf("it logs %q", log)
	}
}

func TestLogOfTheServerLosesItsColours(t *testing.T) {
	log := logged(t, slog.LevelDebug, func(*stage) {})
	if !strings.Contains(log, "WARN odd") || strings.Contains(log, "[33m") {
		t.Errorf("it logs %q", log)
	}
}
