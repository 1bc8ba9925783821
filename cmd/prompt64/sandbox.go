package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/agent/doctor"
	"github.com/prompt64/prompt64/appliance/supervisor"
)

// sandboxLook is how often it is looked whether there is another Codex to try.
const sandboxLook = 30 * time.Second

// sandbox remembers whether the Codex that is installed can confine its commands on
// this device. Without that it can only talk, which its owner should learn before the
// first command fails.
type sandbox struct {
	try func(context.Context, string) error // tries a program

	mu      sync.Mutex
	program string // the one that was tried; empty: none yet
	err     error
}

// look tries a program once.
func (s *sandbox) look(ctx context.Context, program string) {
	s.mu.Lock()
	known := s.program == program
	s.mu.Unlock()
	if known || program == "" {
		return
	}
	err := s.try(ctx, program)
	if ctx.Err() != nil || errors.Is(err, agent.ErrBusy) {
		return // it says nothing of the program
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.program, s.err = program, err
}

// findings are what is known of a program.
func (s *sandbox) findings(program string) []doctor.Finding {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.program == "" || s.program != program:
		return nil
	case s.err == nil:
		return []doctor.Finding{{Check: "sandbox", State: doctor.OK, Says: "commands can be confined"}}
	}
	return []doctor.Finding{{Check: "sandbox", State: doctor.Missing, Says: s.err.Error(), Do: "install another version of Codex; until then it cannot run commands",
		Page: "install the newest Codex under Set-up, Agent; until then it cannot run commands"}}
}

// makeSandbox makes what tries Codex's sandbox; a workstation's owner asks the doctor.
func (a *app) makeSandbox() {
	kind, _ := a.options.agent.kind()
	switch try := a.options.machine.sandbox; {
	case !a.options.device:
	case try != nil:
		a.sandbox = &sandbox{try: try}
	case kind == agent.Codex:
		a.sandbox = &sandbox{try: a.tryCodex}
	}
}

// tryCodex tries whether a program confines commands here.
func (a *app) tryCodex(ctx context.Context, program string) error {
	scratch, release, err := agent.Open(a.options.data).Scratch(agent.Codex)
	if err != nil {
		return err
	}
	defer release()
	return agent.Sandbox(ctx, agent.Trial{Program: program, Scratch: scratch, User: a.user})
}

// sandboxDeadline is more than a try takes, which ends by itself.
const sandboxDeadline = 3 * time.Minute

// sandboxPart tries each Codex that comes to be installed.
func (a *app) sandboxPart() supervisor.Part {
	part := supervisor.Part{Name: "sandbox", Deadline: sandboxDeadline}
	if a.sandbox != nil {
		part.Service = supervisor.Func(a.trySandbox)
	}
	return part
}

func (a *app) trySandbox(ctx context.Context) error {
	for {
		supervisor.Pet(ctx)
		if p, err := findCodex(a.options.agent.codexOptions, a.options.data); err == nil {
			a.sandbox.look(ctx, p.path)
			_ = p.close()
		}
		if !supervisor.Rest(ctx, sandboxLook) {
			return nil
		}
	}
}
