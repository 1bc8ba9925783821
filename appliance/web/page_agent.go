package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
)

// signInTime is how long a code is good for.
const signInTime = 15 * time.Minute

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
	Key        *form
	Error      string
	Pending    []string
	CanRestart bool
}

func keyForm() *form {
	return &form{Fields: []*field{
		{Name: "key", Label: "API key", Type: "password", Max: 500, Required: true, Hint: "It is given to the agent, which keeps it, and is shown nowhere."},
	}}
}

func (v *visit) showAgent(status int, data agentData) error {
	if v.site.Agents == nil {
		return fault{http.StatusNotFound, "The agent is chosen on the command line here.", nil}
	}
	data.List = v.site.Agents.List(v.r.Context())
	data.Chosen = v.site.Settings.Settings().Provider
	data.Now = v.site.State().Provider
	data.Job = v.job("agent")
	if data.Key == nil {
		data.Key = keyForm()
	}
	data.Pending, data.CanRestart = v.site.Pending(), v.site.Restart != nil
	return v.show(status, "agent", "Agent", data)
}

// agent finds the agent that a form names.
func (v *visit) agent() (Agent, error) {
	if v.site.Agents == nil {
		return Agent{}, fault{http.StatusNotFound, "The agent is chosen on the command line here.", nil}
	}
	list := v.site.Agents.List(v.r.Context())
	i := slices.IndexFunc(list, func(a Agent) bool { return a.Name == v.value("name") })
	if i < 0 {
		return Agent{}, fault{http.StatusUnprocessableEntity, "There is no such agent. Go back and choose one of the list.", nil}
	}
	return list[i], nil
}

func chooseAgent(v *visit) error {
	a, err := v.agent()
	if err != nil {
		return err
	}
	if err := v.site.Settings.Update(func(s *config.Settings) error { s.Provider = a.Name; return nil }); err != nil {
		return v.showAgent(http.StatusUnprocessableEntity, agentData{Error: sentence(err.Error())})
	}
	return v.goTo("/setup/agent", a.Title+" is chosen.")
}

func installAgent(v *visit) error {
	a, err := v.agent()
	if err != nil {
		return err
	}
	return v.agentJob("Installing "+a.Title, func(ctx context.Context, j *job) error {
		return v.site.Agents.Install(ctx, a.Name, j.tell)
	})
}

func signAgentIn(v *visit) error {
	a, err := v.agent()
	if err != nil {
		return err
	}
	return v.agentJob("Signing in to "+a.Title, func(ctx context.Context, j *job) error {
		ctx, cancel := context.WithTimeoutCause(ctx, signInTime, errors.New("the code was not entered within 15 minutes: start again"))
		defer cancel()
		err := v.site.Agents.SignIn(ctx, a.Name, j.show)
		if cause := context.Cause(ctx); err != nil && cause != nil {
			return cause
		}
		return err
	})
}

func (v *visit) agentJob(title string, do func(context.Context, *job) error) error {
	if !v.site.jobs.start("agent", title, do) {
		return v.showAgent(http.StatusConflict, agentData{Error: "Something is under way already: wait for its end, or stop it."})
	}
	return v.goTo("/setup/agent", "")
}

func signAgentInWithKey(v *visit) error {
	a, err := v.agent()
	if err != nil {
		return err
	}
	f := keyForm()
	key := v.value("key")
	if key == "" {
		f.field("key").Error = "Enter the key."
		return v.showAgent(http.StatusUnprocessableEntity, agentData{Key: f})
	}
	if err := v.site.Agents.SignInWithKey(v.r.Context(), a.Name, config.NewSecret(key)); err != nil {
		f.field("key").Error = sentence(err.Error())
		return v.showAgent(http.StatusUnprocessableEntity, agentData{Key: f})
	}
	return v.goTo("/setup/agent", a.Title+" has the key.")
}
