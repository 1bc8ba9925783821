package web

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
)

const (
	signInTime = 15 * time.Minute // for which a code is good
	keyTime    = 25 * time.Second // for an agent to take a key; the page waits for it
)

// agentPart is which agent works, and who it works for.
func agentPart() setupPart {
	return setupPart{"/setup/agent", "Agent", "agent", agentNow, []route{
		{"GET /setup/agent", signedIn, func(v *visit) error { return v.showAgent(http.StatusOK, agentData{}) }},
		{"POST /setup/agent", signedIn, chooseAgent},
		{"POST /setup/agent/install", signedIn, installAgent},
		{"POST /setup/agent/signin", signedIn, signAgentIn},
		{"POST /setup/agent/key", signedIn, signAgentInWithKey},
	}}
}

func agentNow(s *Site) setupNow {
	name := s.Settings.Settings().Provider
	if name == "" {
		return setupNow{Words: s.State().Provider, Todo: "Choose the agent that your C64 talks to."}
	}
	return setupNow{Words: name, Done: true}
}

// agentData is what templates/agent.html shows.
type agentData struct {
	List       []Agent
	Chosen     string
	Now        string // the agent that works now
	Job        *jobView
	KeyOf      string // the agent whose key was refused
	Key        *form  // how
	Error      string
	Pending    []string
	CanRestart bool
}

// KeyForm is where an agent's key is entered. Each agent has one of its own.
func (d agentData) KeyForm(agent string) *form {
	if agent == d.KeyOf {
		return d.Key
	}
	return keyForm(agent)
}

func keyForm(agent string) *form {
	return &form{Fields: []*field{
		{Name: "key", ID: "key-" + agent, Label: "API key", Type: "password", Max: 500, Required: true,
			Hint: "It is given to the agent, which keeps it, and is shown nowhere."},
	}}
}

func (v *visit) showAgent(status int, data agentData) error {
	if v.site.Agents == nil {
		return noAgents
	}
	data.List = v.site.Agents.List(v.r.Context())
	data.Chosen = v.site.Settings.Settings().Provider
	data.Now = v.site.State().Provider
	data.Job = v.job("agent")
	data.Pending, data.CanRestart = v.site.Pending(), v.site.Restart != nil
	return v.show(status, "agent", "Agent", data)
}

var noAgents = fault{http.StatusNotFound, "The agent is chosen on the command line here.", nil}

// agent finds the agent that a form names.
func (v *visit) agent() (Agent, error) {
	if v.site.Agents == nil {
		return Agent{}, noAgents
	}
	list := v.site.Agents.List(v.r.Context())
	i := slices.IndexFunc(list, func(a Agent) bool { return a.Name == v.value("name") })
	if i < 0 {
		return Agent{}, fault{http.StatusUnprocessableEntity, "There is no such agent. Go back and choose one of the list.", nil}
	}
	return list[i], nil
}

// agentToSignIn is one that the page offers to sign in to.
func (v *visit) agentToSignIn() (Agent, error) {
	a, err := v.agent()
	if err == nil && !a.CanSignIn {
		err = cannot(a, " is not signed in to from here.")
	}
	return a, err
}

// cannot says what an agent does not offer, or not any more since the page was shown.
func cannot(a Agent, words string) error {
	words = a.Title + words + " Go back and reload the page."
	return fault{http.StatusConflict, strings.TrimSpace(words + " " + a.Trouble), nil}
}

func chooseAgent(v *visit) error {
	a, err := v.agent()
	if err != nil {
		return err
	}
	if err := v.save(func(s *config.Settings) error { s.Provider = a.Name; return nil }); err != nil {
		var f form
		status := f.wrong(v, err, nil)
		return v.showAgent(status, agentData{Error: f.Error})
	}
	return v.goTo("/setup/agent", a.Title+" is chosen.")
}

func installAgent(v *visit) error {
	a, err := v.agent()
	switch {
	case err != nil:
		return err
	case !a.CanInstall:
		return cannot(a, " is not installed from here.")
	}
	return v.agentJob("Installing "+a.Title, func(ctx context.Context, j *job) error {
		return v.site.Agents.Install(ctx, a.Name, j.tell)
	})
}

func signAgentIn(v *visit) error {
	a, err := v.agentToSignIn()
	if err != nil {
		return err
	}
	return v.agentJob("Signing in to "+a.Title, func(ctx context.Context, j *job) error {
		return within(ctx, signInTime, "the code was not entered within 15 minutes: start again", func(ctx context.Context) error {
			return v.site.Agents.SignIn(ctx, a.Name, j.show)
		})
	})
}

func (v *visit) agentJob(title string, do func(context.Context, *job) error) error {
	if !v.site.jobs.start("agent", title, do) {
		return v.showAgent(http.StatusConflict, agentData{Error: "Something is under way already: wait for its end, or stop it."})
	}
	return v.goTo("/setup/agent", "")
}

func signAgentInWithKey(v *visit) error {
	a, err := v.agentToSignIn()
	if err != nil {
		return err
	}
	f, key := keyForm(a.Name), v.value("key")
	if key == "" {
		f.field("key").Error = "Enter the key."
		return v.showAgent(http.StatusUnprocessableEntity, agentData{KeyOf: a.Name, Key: f})
	}
	err = within(v.r.Context(), keyTime, "the agent did not answer in time: try again in a minute", func(ctx context.Context) error {
		return v.site.Agents.SignInWithKey(ctx, a.Name, config.NewSecret(key))
	})
	if err != nil {
		f.field("key").Error = sentence(err.Error())
		return v.showAgent(http.StatusUnprocessableEntity, agentData{KeyOf: a.Name, Key: f})
	}
	return v.goTo("/setup/agent", a.Title+" has the key.")
}
