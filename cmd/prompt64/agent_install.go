package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/agent/fetch"
	"github.com/prompt64/prompt64/appliance/guarded"
)

var agentInstall command

func init() {
	agentInstall = command{
		name:    "agent install",
		args:    "codex [-version V] [-from URL-or-FILE] [-sha256 X] [-data DIR]",
		summary: "Installs an agent's program, tries it, and makes it the current version.",
		run:     runAgentInstall,
	}
}

// errInterrupted is said when a signal ends an installation.
var errInterrupted = errors.New("interrupted")

func runAgentInstall(s streams, args []string) error {
	fs := flag.NewFlagSet("agent install", flag.ContinueOnError)
	version := fs.String("version", "", "install version `V` (default: the newest known one that can be fetched)")
	from := fs.String("from", "", "take the archive from `URL-or-FILE` (default: the project's releases)")
	sum := fs.String("sha256", "", "the archive's digest is `X` (default: the known one)")
	without := fs.Bool("without-sandbox", false, "install it although commands cannot be confined here; Codex then fails at each of them")
	data := dataFlag(fs)
	name, err := parseVerb(s, agentInstall, fs, args, "")
	if err != nil {
		return err
	}
	req := agent.Request{Agent: name, Version: *version, From: *from}
	if *sum != "" {
		digest, err := fetch.ParseDigest(*sum)
		if err != nil {
			return usageError{err}
		}
		req.Digest = &digest
	}
	dir, err := data()
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	shown := newProgress(s.err)
	in := agent.Installer{Store: agent.Open(dir), Progress: shown.show}
	if *without {
		in.Tests = []agent.Test{agent.Handshake}
	}
	v, err := in.Install(ctx, req)
	shown.end()
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s %s is installed in %s\n", v.Agent, v.Version, v.Dir)
	fmt.Fprintf(s.err, "A bridge that runs goes on with its version until it is started again. Sign in with: prompt64 agent login %s\n", v.Agent)
	return nil
}

// interruptible is a context that a signal ends, in words.
func interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	guarded.Go("signals", func() {
		select {
		case <-signals:
			signal.Stop(signals) // a second one ends the program at once
			cancel(errInterrupted)
		case <-ctx.Done():
		}
	}, cancel)
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}
