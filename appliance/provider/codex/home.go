package codex

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/google/renameio/v2"
)

// ownConfig is the config.toml of a CODEX_HOME of our own.
//
//go:embed config.toml
var ownConfig string

// prepareHome makes our own CODEX_HOME. A config.toml that is there is the
// owner's by now and stays.
func prepareHome(home string) error {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return fmt.Errorf("codex: make its folder: %w", err)
	}
	path := filepath.Join(home, "config.toml")
	switch _, err := os.Stat(path); {
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("codex: its settings: %w", err)
	}
	if err := renameio.WriteFile(path, []byte(ownConfig), 0o600); err != nil {
		return fmt.Errorf("codex: write its settings: %w", err)
	}
	return nil
}

// checkHome checks a CODEX_HOME that is not ours.
func checkHome(home string) error {
	info, err := os.Stat(home)
	switch {
	case err != nil:
		return fmt.Errorf("codex: its folder: %w", err)
	case !info.IsDir():
		return fmt.Errorf("codex: its folder %s is a file", home)
	}
	return nil
}

// allowRule finds a rule that lets a command run.
var allowRule = regexp.MustCompile(`(?m)^[^#\n]*\bdecision\s*=\s*["']allow["']`)

// unsafeRules names the rule files of a CODEX_HOME that allow anything: what
// they allow runs without a sandbox and without a question in every access mode,
// even in read-only. A rule of one line without a decision
// allows too, as that is the default.
func unsafeRules(home string) []string {
	files, err := filepath.Glob(filepath.Join(home, "rules", "*.rules"))
	if err != nil || home == "" {
		return nil
	}
	var found []string
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
			continue // a pipe would keep us waiting
		}
		text, err := os.ReadFile(file)
		if err == nil && (allowRule.Match(text) || hasBareRule(string(text))) {
			found = append(found, file)
		}
	}
	return found
}

// hasBareRule reports a prefix_rule that leaves its decision at the default.
func hasBareRule(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "prefix_rule(") && strings.HasSuffix(line, ")") && !strings.Contains(line, "decision") {
			return true
		}
	}
	return false
}
