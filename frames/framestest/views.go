package framestest

import (
	"context"
	"slices"

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

// Session is a row of the session list.
type Session struct {
	Index   uint8
	Current bool
	Title   string
}

// Sessions lists the workspace's sessions.
func (c *Client) Sessions(ctx context.Context) ([]Session, error) {
	var rows []Session
	var wrong bool
	err := c.do(ctx, frames.SessionListGet{}, func(m frames.Message) (bool, bool) {
		switch m := m.(type) {
		case frames.SessionEntry:
			rows = append(rows, Session{m.Index, m.Current, string(m.Title)})
			return false, true
		case frames.SessionListDone:
			wrong = int(m.Count) != len(rows) || len(rows) > frames.MaxSessions
			return true, true
		}
		return false, false
	}, &wrong)
	return rows, err
}

// Select chooses a session of the latest list, or frames.SessionNew.
func (c *Client) Select(ctx context.Context, index uint8) (Session, error) {
	var s Session
	err := c.do(ctx, frames.SessionSelect{Index: index}, func(m frames.Message) (bool, bool) {
		st, ok := m.(frames.SessionState)
		s = Session{Index: st.Index, Current: true, Title: string(st.Title)}
		return ok, ok
	}, nil)
	return s, err
}

// Said is an entry of the history.
type Said struct {
	Speaker frames.Speaker
	Text    string
}

// History fetches the finished turns of the session.
func (c *Client) History(ctx context.Context) ([]Said, error) {
	var entries []Said
	var wrong bool
	err := c.do(ctx, frames.HistoryGet{}, func(m frames.Message) (bool, bool) {
		switch m := m.(type) {
		case frames.HistoryText:
			if last := len(entries) - 1; m.Start || last < 0 {
				wrong = wrong || !m.Start
				entries = append(entries, Said{m.Speaker, string(m.Text)})
			} else {
				wrong = wrong || entries[last].Speaker != m.Speaker
				entries[last].Text += string(m.Text)
			}
			return false, true
		case frames.HistoryDone:
			wrong = wrong || int(m.Entries) != min(len(entries), 255)
			return true, true
		}
		return false, false
	}, &wrong)
	return entries, err
}

// Folder is a row of the workspace list.
type Folder struct {
	Index uint8
	Git   bool
	Name  string
}

// WorkspaceList lists the folders in a folder.
func (c *Client) WorkspaceList(ctx context.Context, path string) ([]Folder, error) {
	var rows []Folder
	var wrong bool
	err := c.do(ctx, frames.WorkspaceListGet{Path: []byte(path)}, func(m frames.Message) (bool, bool) {
		switch m := m.(type) {
		case frames.WorkspaceEntry:
			rows = append(rows, Folder{m.Index, m.Git, string(m.Name)})
			return false, true
		case frames.WorkspaceListDone:
			wrong = int(m.Count) != len(rows)
			return true, true
		}
		return false, false
	}, &wrong)
	return rows, err
}

// Heartbeat sends one and waits for its acknowledgement; without one in time
// the link ends, as it does for the client's own.
func (c *Client) Heartbeat(ctx context.Context) error {
	if err := c.WaitAttached(ctx); err != nil {
		return err
	}
	c.mu.Lock()
	l := c.link
	c.mu.Unlock()
	if l == nil {
		return ErrLinkLost
	}
	return l.beat()
}

// Release gives the session up and waits for the acknowledgement. If the link goes
// first it stays open, and the reconnect sends it again; the lease being expired
// acknowledges it too.
func (c *Client) Release(ctx context.Context) error {
	c.mu.Lock()
	if !c.hasLease {
		defer c.mu.Unlock()
		return ErrNoLease
	}
	c.releases = true
	l := c.ready()
	c.mu.Unlock()
	post(l, frames.SessionRelease{})
	return c.WaitReleased(ctx)
}

// WaitReleased waits until an open release is acknowledged.
func (c *Client) WaitReleased(ctx context.Context) error {
	return c.wait(ctx, "release", func() (bool, error) {
		if c.released {
			return true, nil
		}
		return false, c.hopeless()
	})
}

// Row is a row of the dashboard.
type Row struct {
	Index uint8
	Data  []byte
}

// Dashboard fetches a tab.
func (c *Client) Dashboard(ctx context.Context, tab frames.Tab) ([]Row, error) {
	var rows []Row
	var wrong bool
	err := c.do(ctx, frames.DashboardGet{Tab: tab}, func(m frames.Message) (bool, bool) {
		switch m := m.(type) {
		case frames.DashboardEntry:
			wrong = wrong || m.Tab != tab
			rows = append(rows, Row{m.Row, slices.Clone(m.Data)})
			return false, true
		case frames.DashboardDone:
			wrong = wrong || m.Tab != tab || int(m.Count) != len(rows)
			return true, true
		}
		return false, false
	}, &wrong)
	return rows, err
}
