package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/agent/doctor"
	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/provider/codex"
	"github.com/prompt64/prompt64/appliance/web"
)

// pageAgents are the agents as the pages offer them.
type pageAgents struct{ app *app }

var _ web.Agents = pageAgents{}

// titles are how the agents are called, and what is said of them.
var titles = map[string][2]string{
	"demo":         {"Demo", "A small scripted agent that works offline and needs no account. It really writes files and runs commands, when you allow it."},
	"codex":        {"Codex", "OpenAI's agent. It needs an account or an API key, and the internet."},
	"acp:opencode": {"opencode", "An open agent for models of many makers."},
	"acp:gemini":   {"Gemini CLI", "Google's agent."},
	"acp:claude":   {"Claude Code", "Anthropic's agent."},
	"acp:copilot":  {"GitHub Copilot CLI", "GitHub's agent."},
	"acp:qwen":     {"Qwen Code", "The agent for the Qwen models."},
}

// List implements web.Agents. It starts nothing. Only Codex can be
// brought to a device: of the others that are missing there, the one that is chosen is
// shown, to say so.
func (p pageAgents) List(ctx context.Context) []web.Agent {
	var list []web.Agent
	for _, name := range providerNames() {
		a := p.look(ctx, name)
		if !p.app.options.device || a.Trouble == "" || name == agent.Codex || name == p.app.settings.Settings().Provider {
			list = append(list, a)
		}
	}
	return list
}

func (p pageAgents) look(ctx context.Context, name string) web.Agent {
	a := web.Agent{Name: name, Title: name, About: "An agent that speaks the Agent Client Protocol."}
	if t, ok := titles[name]; ok {
		a.Title, a.About = t[0], t[1]
	}
	var found []doctor.Finding
	switch kind, _ := (agentOptions{name: name}).kind(); kind {
	case "codex":
		found = p.lookAtCodex(&a)
	case "acp":
		found, _ = examine(ctx, name, codexOptions{}, p.app.options.data)
	}
	for _, f := range found {
		if f.State == doctor.Missing && f.Check != "sign-in" && a.Trouble == "" && a.Installed == "" && !a.CanInstall {
			a.Trouble = f.Says + ". " + p.remedy(f)
		}
	}
	return a
}

// remedy says on the page of the agents what to do: its reader is there already, and
// has a command line only where this is no device.
func (p pageAgents) remedy(f doctor.Finding) string {
	if p.app.options.device {
		return "This device cannot install it: choose another agent."
	}
	return capital(f.Do) + "."
}

// lookAtCodex fills in what is known of Codex without starting it.
func (p pageAgents) lookAtCodex(a *web.Agent) []doctor.Finding {
	o := p.app.options
	var status codex.Status
	if running, ok := p.app.provider.(*codex.Provider); ok {
		status = running.Status()
	}
	versions, _ := agent.Open(o.data).List(agent.Codex)
	for _, v := range versions {
		if v.Current {
			a.Installed = v.Version
		}
	}
	offered, _ := agent.Offered(agent.Codex, agent.ThisMachine())
	a.CanInstall = isNewer(offered, a.Installed)
	found, err := glanceAtCodex(o.agent.codexOptions, o.data, status)
	if err != nil {
		a.Trouble = err.Error()
		return nil
	}
	a.CanSignIn = !slices.ContainsFunc(found, func(f doctor.Finding) bool { return f.Check == "program" })
	for _, f := range found {
		if f.Check == "sign-in" {
			a.Account, a.SignedIn = f.Says, f.State == doctor.OK
		}
	}
	return found
}

// isNewer says whether an offered version is worth an installation: one that came with
// the card's image may be newer than what a device can fetch by itself.
func isNewer(offered, installed string) bool {
	return offered != "" && (installed == "" || semver.Compare("v"+offered, "v"+installed) > 0)
}

func capital(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// Install implements web.Agents.
func (p pageAgents) Install(ctx context.Context, name string, tell func(string, int)) error {
	if name != agent.Codex {
		return fmt.Errorf("%s is installed by its own means", name)
	}
	if err := p.app.clockTrouble(); err != nil {
		return err
	}
	in := agent.Installer{Store: agent.Open(p.app.options.data), User: p.app.user, Progress: func(now agent.Progress) {
		percent := -1
		if now.Total > 0 {
			percent = int(100 * now.Done / now.Total)
		}
		tell(string(now.Stage), percent)
	}}
	_, err := in.Install(ctx, agent.Request{Agent: name})
	return err
}

// SignIn implements web.Agents.
func (p pageAgents) SignIn(ctx context.Context, name string, show func(url, code string)) error {
	return p.withAgent(name, func(c *codex.Provider) error {
		code, err := c.LoginWithDevice(ctx)
		if err != nil {
			return err
		}
		show(code.URL, code.Code)
		if err := c.AwaitLogin(ctx); err != nil {
			return err
		}
		_, err = c.Account(ctx)
		return err
	})
}

// SignInWithKey implements web.Agents.
func (p pageAgents) SignInWithKey(ctx context.Context, name string, key config.Secret) error {
	text, err := codex.ReadKey(strings.NewReader(key.Reveal()))
	if err != nil {
		return err
	}
	return p.withAgent(name, func(c *codex.Provider) error {
		if err := c.LoginWithKey(ctx, text); err != nil {
			return err
		}
		_, err := c.Account(ctx)
		return err
	})
}

// withAgent lends the Codex that runs, or starts one for as long as f takes.
func (p pageAgents) withAgent(name string, f func(*codex.Provider) error) error {
	if err := p.app.clockTrouble(); err != nil {
		return err
	}
	if name != agent.Codex {
		return errors.New("this agent signs in by its own means")
	}
	if running, ok := p.app.provider.(*codex.Provider); ok {
		return f(running)
	}
	return withCodex(p.app.options.agent.codexOptions, p.app.options.data, p.app.user, io.Discard, f)
}
