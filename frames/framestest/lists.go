package framestest

import (
	"context"

	"github.com/prompt64/prompt64/frames"
)

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
