package framestest

import (
	"context"

	"github.com/prompt64/prompt64/frames"
)

// sendPrefs tells a fresh lease what the user has set.
func (c *Client) sendPrefs(ctx context.Context, l *link) error {
	if c.cfg.Plain {
		return nil
	}
	p := c.cfg.Prefs
	var (
		settings  frames.SettingsState
		access    frames.AccessState
		workspace frames.WorkspaceState
	)
	set := frames.SettingsSet{Reasoning: p.Reasoning, HasDisplay: true, Display: p.Display}
	if err := c.doOn(ctx, l, set, one(&settings), nil); err != nil {
		return err
	}
	if err := c.doOn(ctx, l, frames.AccessSet{Access: p.Access}, one(&access), nil); err != nil {
		return err
	}
	return c.doOn(ctx, l, frames.WorkspaceSet{Path: []byte(p.Workspace)}, one(&workspace), nil)
}

// Settings asks for the settings.
func (c *Client) Settings(ctx context.Context) (frames.SettingsState, error) {
	var st frames.SettingsState
	return st, c.do(ctx, frames.SettingsGet{}, one(&st), nil)
}

// SetSettings changes the reasoning and the display, and returns the new state.
func (c *Client) SetSettings(ctx context.Context, r frames.Reasoning, display uint8) (frames.SettingsState, error) {
	var st frames.SettingsState
	err := c.do(ctx, frames.SettingsSet{Reasoning: r, HasDisplay: true, Display: display}, one(&st), nil)
	return st, err
}

// Access changes the access, and returns the new one.
func (c *Client) Access(ctx context.Context, a frames.Access) (frames.Access, error) {
	var st frames.AccessState
	err := c.do(ctx, frames.AccessSet{Access: a}, one(&st), nil)
	return st.Access, err
}

// Workspace chooses a folder, and returns what the bridge calls it.
func (c *Client) Workspace(ctx context.Context, path string) (string, error) {
	var name string
	err := c.do(ctx, frames.WorkspaceSet{Path: []byte(path)}, func(m frames.Message) (bool, bool) {
		st, ok := m.(frames.WorkspaceState)
		name = string(st.Path)
		return ok, ok
	}, nil)
	return name, err
}
