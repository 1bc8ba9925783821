package doctor

import "path/filepath"

// ACP is an agent that speaks the Agent Client Protocol.
type ACP struct {
	Name    string
	Argv    []string
	Install string // what installs it, if that is known
	Machine Machine
}

// Examine looks for the agent's program. The agent itself tells at its first
// turn what else it lacks.
func (a ACP) Examine() []Finding {
	var r report
	do := "install " + a.Name + " by its own means"
	if a.Install != "" {
		do = "run: " + a.Install
	}
	switch path, err := a.Machine.look(a.Argv[0]); {
	case err != nil:
		r.missing("program", do+", or name its command with -acp-command", "there is no program %s", filepath.Base(a.Argv[0]))
		r[0].Page = "choose another agent under Set-up, Agent: these pages cannot install this one"
	default:
		r.ok("program", "%s", path)
	}
	a.Machine.shell(&r)
	a.Machine.certificates(&r)
	return r
}
