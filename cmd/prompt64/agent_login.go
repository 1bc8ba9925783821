package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/privsep"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/codex"
)

var agentLogin command

func init() {
	agentLogin = command{
		name:    "agent login",
		args:    "codex [-key-file FILE] [-data DIR] [-codex PATH] [-codex-home DIR]",
		summary: "Signs an agent in: with a code to enter in a browser, or with an API key.",
		run:     runAgentLogin,
	}
}

// loginTime is how long a device code is good for.
const loginTime = 15 * time.Minute

// codexFlags adds the flags that say which Codex is meant.
func codexFlags(fs *flag.FlagSet, o *codexOptions) {
	fs.StringVar(&o.codex, "codex", "", "Codex is the program `PATH`, runs elsewhere by a command such as 'ssh -T HOST codex app-server', or serves on ws://HOST:PORT (default: the installed one)")
	fs.StringVar(&o.tokenFile, "codex-token-file", "", "read the token for a ws:// address from `FILE`")
	fs.StringVar(&o.home, "codex-home", "", "Codex keeps its settings, sign-in and sessions in `DIR` (default: codex in the data folder)")
}

func runAgentLogin(s streams, args []string) error {
	fs := flag.NewFlagSet("agent login", flag.ContinueOnError)
	keyFile := fs.String("key-file", "", "read an API key from `FILE`; - is standard input (default: sign in with a code)")
	var o codexOptions
	codexFlags(fs, &o)
	data := dataFlag(fs)
	name, err := parseVerb(s, agentLogin, fs, args, "")
	switch {
	case err != nil:
		return err
	case name != agent.Codex:
		return usagef("%s signs in by its own means: this command is for %s", name, agent.Codex)
	}
	dir, err := data()
	if err != nil {
		return err
	}
	var key string
	if *keyFile != "" {
		if key, err = readKey(s, *keyFile); err != nil {
			return err
		}
	}
	ctx, stop := interruptible()
	defer stop()
	return provider.InShell(withCodex(o, dir, nil, s.err, func(p *codex.Provider) error {
		if key != "" {
			return loginWithKey(ctx, s, p, key)
		}
		return loginWithCode(ctx, s, p)
	}))
}

// readKey reads a key from a file or from standard input.
func readKey(s streams, name string) (string, error) {
	if name == "-" {
		return codex.ReadKey(s.in)
	}
	f, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("read the key: %w", err)
	}
	defer f.Close()
	return codex.ReadKey(f)
}

// withCodex runs Codex for as long as f takes.
func withCodex(o codexOptions, data string, user *privsep.User, stderr io.Writer, f func(*codex.Provider) error) error {
	program, err := findCodex(o, data)
	if err != nil {
		return err
	}
	defer func() { _ = program.close() }()
	log := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	p, err := codex.New(program.config(o, data, user, log))
	if err != nil {
		return err
	}
	defer func() { _ = p.Close() }()
	return f(p)
}

func loginWithKey(ctx context.Context, s streams, p *codex.Provider, key string) error {
	if err := p.LoginWithKey(ctx, key); err != nil {
		return err
	}
	return sayAccount(ctx, s, p)
}

func loginWithCode(ctx context.Context, s streams, p *codex.Provider) error {
	code, err := p.LoginWithDevice(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "Open  %s\nEnter %s\n", code.URL, code.Code)
	fmt.Fprintln(s.err, "waiting until it is entered; the code is good for 15 minutes")
	ctx, stop := context.WithTimeoutCause(ctx, loginTime, fmt.Errorf("the code was not entered within %v: start again", loginTime))
	defer stop()
	if err := p.AwaitLogin(ctx); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return fmt.Errorf("sign in: %w", cause)
		}
		return err
	}
	return sayAccount(ctx, s, p)
}

// sayAccount says who is signed in now, as Codex itself tells it.
func sayAccount(ctx context.Context, s streams, p *codex.Provider) error {
	a, err := p.Account(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "Codex is signed in: %s\n", a)
	return nil
}
