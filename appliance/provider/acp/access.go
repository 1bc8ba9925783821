package acp

import (
	"context"
	"fmt"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/prompt64/prompt64/frames"
)

// accessState is what an agent offers to be set before a turn.
type accessState struct {
	mode    string // the current one
	offered []string
	option  string            // the configuration option that is the mode; empty: session/set_mode
	values  map[string]string // of the other options
}

// newAccessState reads what came with a session. Where an agent offers modes both
// ways, session/set_mode is taken: it is the older way, and they all know it.
func newAccessState(st sessionState) accessState {
	s := accessState{mode: st.Modes.CurrentModeID}
	for _, m := range st.Modes.AvailableModes {
		s.offered = append(s.offered, m.ID)
	}
	s.values = map[string]string{}
	for _, o := range st.ConfigOptions {
		value, _ := o.CurrentValue.(string)
		s.values[o.ID] = value
		if o.Category == "mode" && len(s.offered) == 0 {
			s.option, s.mode = o.ID, value
			s.offered = flatten(o.Options)
		}
	}
	return s
}

// flatten lists the values of an option, those in groups too.
func flatten(values []configValue) []string {
	var list []string
	for _, v := range values {
		if v.Value != "" {
			list = append(list, v.Value)
		}
		list = append(list, flatten(v.Options)...)
	}
	return list
}

// learn follows an agent that changes its mode by itself.
func (a *agent) learn(u *update) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if u.Kind == "current_mode_update" && a.access.option == "" {
		a.access.mode = u.CurrentModeID
	}
	if u.Kind != "config_option_update" || a.access.values == nil {
		return
	}
	for _, o := range u.ConfigOptions {
		value, _ := o.CurrentValue.(string)
		a.access.values[o.ID] = value
		if o.ID == a.access.option {
			a.access.mode = value
		}
	}
}

// choose picks the mode for an access; empty if the agent offers none for it.
func (p *preset) choose(access frames.Access, offered []string) string {
	for _, want := range p.modes[access] {
		for _, id := range offered {
			if modeName(id) == want && !neverAsks(id) {
				return id
			}
		}
	}
	return ""
}

// setAccess puts the agent into the mode of an access before a turn. An agent
// that offers none stays as it is: what it asks is decided here. One that would
// not ask at all is no agent to give a prompt to.
func (a *agent) setAccess(ctx context.Context, access frames.Access) error {
	a.mu.Lock()
	st := a.access
	id := a.sessionID
	a.mu.Unlock()
	for option, want := range a.cfg.preset.options {
		if now, has := st.values[option]; has && now != want {
			if err := a.setOption(ctx, id, option, want); err != nil {
				return fmt.Errorf("the agent cannot be made to ask: %w", err)
			}
		}
	}
	want := a.cfg.preset.choose(access, st.offered)
	if want == "" || want == st.mode {
		if neverAsks(st.mode) {
			return fmt.Errorf("the agent is in its mode %q, in which it never asks: change that in its settings", modeName(st.mode))
		}
		return nil
	}
	err := a.setMode(ctx, id, st.option, want)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return err
	case neverAsks(st.mode):
		return fmt.Errorf("the agent cannot be made to ask: %w", err)
	default:
		a.cfg.Logger.Warn("the agent did not change its mode", "mode", want, "error", err)
	}
	return nil
}

func (a *agent) setMode(ctx context.Context, session, option, mode string) error {
	var err error
	if option != "" {
		err = a.setOption(ctx, session, option, mode)
	} else {
		_, err = request[struct{}](ctx, a, sdk.AgentMethodSessionSetMode,
			sdk.SetSessionModeRequest{SessionId: sdk.SessionId(session), ModeId: sdk.SessionModeId(mode)})
	}
	if err == nil {
		a.mu.Lock()
		a.access.mode = mode
		a.mu.Unlock()
	}
	return err
}

func (a *agent) setOption(ctx context.Context, session, option, value string) error {
	_, err := request[struct{}](ctx, a, sdk.AgentMethodSessionSetConfigOption, sdk.SetSessionConfigOptionRequest{
		ValueId: &sdk.SetSessionConfigOptionValueId{
			SessionId: sdk.SessionId(session),
			ConfigId:  sdk.SessionConfigId(option),
			Value:     sdk.SessionConfigValueId(value),
		},
	})
	if err == nil {
		a.mu.Lock()
		a.access.values[option] = value
		a.mu.Unlock()
	}
	return err
}
