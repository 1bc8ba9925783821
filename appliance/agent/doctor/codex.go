package doctor

import (
	"context"
	"errors"
	"fmt"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/provider/codex"
)

// Setup is how a bridge would start Codex.
type Setup struct {
	Data    string
	Program string // the program's path; empty if there is none, or if it is remote
	Missing string // says why there is none
	// Remote is the command or address of a Codex on another machine.
	Remote string
	Home   string // its CODEX_HOME; empty where it is remote
	// Account asks Codex who is signed in, and for its warnings. It is called
	// only where the program starts.
	Account func(context.Context) (codex.Account, []string, error)
	Machine Machine
}

// Codex examines everything that Codex needs.
func Codex(ctx context.Context, s Setup) []Finding {
	var r report
	starts := true
	if s.Remote != "" {
		r.ok("program", "it runs elsewhere: %s", s.Remote)
	} else {
		starts = s.program(ctx, &r)
		s.Machine.shell(&r)
		s.home(&r)
		s.Machine.certificates(&r)
		s.space(&r)
	}
	if starts {
		s.account(ctx, &r)
	}
	return r
}

// program looks for the program and tries it. It reports whether it starts.
func (s Setup) program(ctx context.Context, r *report) bool {
	store := agent.Open(s.Data)
	if s.Program == "" {
		lacks := NotInstalled("Codex is not installed")
		if s.Missing != "" {
			lacks.Says = s.Missing
		}
		if err := agent.Available(agent.Codex, s.Machine.target()); err != nil {
			lacks.Do, lacks.Page = err.Error(), ""
		}
		*r = append(*r, lacks)
		return false
	}
	if damage, err := store.Damage(agent.Codex, s.Program); err != nil || damage != "" {
		if err != nil {
			damage = err.Error()
		}
		lacks := NotInstalled(fmt.Sprintf("%s is damaged: %s", s.Program, damage))
		lacks.Do += " (it replaces what is damaged)"
		*r = append(*r, lacks)
		return false
	}
	scratch, release, err := store.Scratch(agent.Codex)
	switch {
	case errors.Is(err, agent.ErrBusy):
		r.warn("program", "ask again when it is done", "an installation is under way")
		return false
	case err != nil:
		r.missing("program", "make the data folder writable, or choose another with -data DIR", "it cannot be tried: %v", err)
		return false
	}
	defer release()
	t := agent.Trial{Program: s.Program, Scratch: scratch}
	version, err := agent.ProgramVersion(ctx, t)
	if err != nil {
		r.missing("program", "install it again, or another version: prompt64 agent install codex -version V", "%s does not start: %v", s.Program, err)
		return false
	}
	r.ok("program", "version %s: %s", version, s.Program)
	if err := agent.Sandbox(ctx, t); err != nil {
		r.missing("sandbox", "see above; until then the agent cannot run commands", "%v", err)
	} else {
		r.ok("sandbox", "commands can be confined")
	}
	return true
}

// account asks who is signed in.
func (s Setup) account(ctx context.Context, r *report) {
	a, warnings, err := s.Account(ctx)
	switch {
	case err != nil:
		r.missing("sign-in", "start the bridge with -verbose to see why", "Codex does not answer: %v", err)
	case a.Needed:
		*r = append(*r, NobodySignedIn())
	default:
		r.ok("sign-in", "%s", a)
	}
	for _, w := range warnings {
		r.warn("rules", "remove the rules that allow", "%s", w)
	}
}
