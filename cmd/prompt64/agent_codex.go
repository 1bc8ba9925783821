package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/privsep"
	"github.com/prompt64/prompt64/appliance/provider/codex"
)

// codexOptions are the flags that say which Codex is meant.
type codexOptions struct {
	codex     string // a path, a command, or the address of a server
	tokenFile string
	home      string
}

// codexProgram is the Codex that was found.
type codexProgram struct {
	path string // of the program on this machine; empty if there is none
	argv []string
	url  string
	used *agent.Program // kept from being removed; nil unless it is ours

	elsewhere bool   // it runs on another machine
	missing   string // why there is none
}

// remote describes a Codex elsewhere, empty for one on this machine.
func (p codexProgram) remote() string {
	switch {
	case p.url != "":
		return p.url
	case p.elsewhere:
		return strings.Join(p.argv, " ")
	}
	return ""
}

func (p codexProgram) close() error {
	if p.used == nil {
		return nil
	}
	return p.used.Close()
}

// findCodex decides which Codex runs: the one that is named, else the installed
// one, else the one on the PATH. A name of several words is a command that runs
// one on another machine.
func findCodex(o codexOptions, data string) (codexProgram, error) {
	if strings.HasPrefix(o.codex, "ws://") || strings.HasPrefix(o.codex, "wss://") {
		return codexProgram{url: o.codex}, nil
	}
	if o.codex != "" {
		return namedCodex(o.codex)
	}
	store := agent.Open(data)
	used, err := store.Use(agent.Codex)
	switch {
	case err == nil:
		return codexProgram{path: used.Path, argv: serverOf(used.Path), used: used}, nil
	case !errors.Is(err, agent.ErrNotInstalled): // it is damaged
		return codexProgram{argv: serverOf(store.Path(agent.Codex)), missing: err.Error()}, nil
	}
	if path, err := absoluteProgram("codex"); err == nil {
		return codexProgram{path: path, argv: serverOf(path)}, nil
	}
	// The place that an installation fills, so that a bridge need not be
	// started again for it.
	return codexProgram{argv: serverOf(store.Path(agent.Codex)), missing: "Codex is not installed"}, nil
}

func serverOf(path string) []string { return []string{path, "app-server"} }

func namedCodex(name string) (codexProgram, error) {
	if info, err := os.Stat(name); err == nil {
		if info.IsDir() {
			return codexProgram{}, fmt.Errorf("%s is a folder: name the program in it with -codex", name)
		}
		path, err := filepath.Abs(name)
		return codexProgram{path: path, argv: serverOf(path)}, err
	}
	argv, err := splitWords(name)
	switch {
	case err != nil:
		return codexProgram{}, fmt.Errorf("-codex %q: %w", name, err)
	case len(argv) > 1:
		return codexProgram{argv: argv, elsewhere: true}, nil
	}
	path, err := absoluteProgram(name)
	if err != nil {
		missing := fmt.Sprintf("there is no program %s; name another with -codex, or leave it out", name)
		return codexProgram{argv: serverOf(name), missing: missing}, nil
	}
	return codexProgram{path: path, argv: serverOf(path)}, nil
}

// absoluteProgram finds a program on the PATH.
func absoluteProgram(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// config is what the provider needs to run it.
func (p codexProgram) config(o codexOptions, data string, user *privsep.User, log *slog.Logger) codex.Config {
	return codex.Config{
		Argv: p.argv, URL: p.url, BearerFile: o.tokenFile, Remote: p.remote() != "",
		Home: o.home, User: user, DataDir: data, Version: version(), Logger: log,
	}
}
