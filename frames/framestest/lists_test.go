package framestest

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prompt64/prompt64/frames"
)

// asked starts a client whose next request must be want and is answered by reply.
func asked(t *testing.T, want frames.Message, reply ...frames.Message) (*Client, func()) {
	t.Helper()
	c, p, _ := start(t, Config{}, func(w *wire) {
		w.fresh()
		w.expect(want)
		w.send(reply...)
		w.quiet()
	})
	return c, func() { t.Helper(); noViolations(t, c); c.Close(); p.finished(1) }
}

// same checks what a view returned.
func same[T any](t *testing.T, want, got T, err error) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}

func TestViewsReturnTheirRows(t *testing.T) {
	ctx := testContext(t)
	t.Run("settings", func(t *testing.T) {
		c, done := asked(t, frames.SettingsGet{}, frames.SettingsState{Reasoning: 2, Display: 1})
		got, err := c.Settings(ctx)
		same(t, frames.SettingsState{Reasoning: 2, Display: 1}, got, err)
		done()
	})
	t.Run("set settings", func(t *testing.T) {
		c, done := asked(t, frames.SettingsSet{Reasoning: 3, HasDisplay: true, Display: 1}, frames.SettingsState{Reasoning: 3, Display: 1})
		got, err := c.SetSettings(ctx, 3, 1)
		same(t, frames.SettingsState{Reasoning: 3, Display: 1}, got, err)
		done()
	})
	t.Run("access", func(t *testing.T) {
		c, done := asked(t, frames.AccessSet{Access: 2}, frames.AccessState{Access: 2})
		got, err := c.Access(ctx, frames.AccessAutoReview)
		same(t, frames.AccessAutoReview, got, err)
		done()
	})
	t.Run("workspace", func(t *testing.T) {
		c, done := asked(t, frames.WorkspaceSet{Path: text("a")}, frames.WorkspaceState{Path: text("a")})
		got, err := c.Workspace(ctx, "a")
		same(t, "a", got, err)
		done()
	})
	t.Run("sessions", func(t *testing.T) {
		c, done := asked(t, frames.SessionListGet{}, frames.SessionEntry{Title: text("x")},
			frames.SessionEntry{Index: 1, Current: true, Title: text("y")}, frames.SessionListDone{Count: 2})
		got, err := c.Sessions(ctx)
		same(t, []Session{{0, false, "x"}, {1, true, "y"}}, got, err)
		done()
	})
	t.Run("select", func(t *testing.T) {
		c, done := asked(t, frames.SessionSelect{Index: 1}, frames.SessionState{Index: 1, Title: text("y")})
		got, err := c.Select(ctx, 1)
		same(t, Session{1, true, "y"}, got, err)
		done()
	})
	t.Run("history", func(t *testing.T) {
		c, done := asked(t, frames.HistoryGet{}, frames.HistoryText{Start: true, Text: text("hi")},
			frames.HistoryText{Start: true, Speaker: 1, Text: text("hel")}, frames.HistoryText{Speaker: 1, Text: text("lo")}, frames.HistoryDone{Entries: 2})
		got, err := c.History(ctx)
		same(t, []Said{{0, "hi"}, {1, "hello"}}, got, err)
		done()
	})
	t.Run("workspaces", func(t *testing.T) {
		c, done := asked(t, frames.WorkspaceListGet{Path: text("a")}, frames.WorkspaceEntry{Git: true, Name: text("b")}, frames.WorkspaceListDone{Count: 1})
		got, err := c.WorkspaceList(ctx, "a")
		same(t, []Folder{{0, true, "b"}}, got, err)
		done()
	})
	t.Run("action", func(t *testing.T) {
		c, done := asked(t, frames.ActionGet{Index: 3}, frames.ActionText{Text: text("do it")})
		got, err := c.Action(ctx, 3)
		same(t, "do it", got, err)
		done()
	})
	t.Run("heartbeat", func(t *testing.T) {
		c, done := asked(t, frames.Heartbeat{}, frames.HeartbeatAck{})
		must(t, c.Heartbeat(ctx))
		done()
	})
}

func TestDashboardTabsAreDecoded(t *testing.T) {
	ctx := testContext(t)
	t.Run("texts", func(t *testing.T) {
		c, done := asked(t, frames.DashboardGet{}, frames.DashboardEntry{Data: text("TURN: idle")}, frames.DashboardDone{Count: 1})
		got, err := c.Texts(ctx, frames.TabStatus)
		same(t, []string{"TURN: idle"}, got, err)
		done()
	})
	t.Run("activity", func(t *testing.T) {
		c, done := asked(t, frames.DashboardGet{Tab: 1}, frames.DashboardEntry{Tab: 1, Data: text("\x02ls")}, frames.DashboardDone{Tab: 1, Count: 1})
		got, err := c.Activity(ctx)
		same(t, []Act{{frames.ActivityFailed, "ls"}}, got, err)
		done()
	})
	t.Run("changes and diff", func(t *testing.T) {
		row := frames.ChangeRow{State: 'M', Added: 1, Deleted: 2, Path: text("a")}.AppendTo(nil)
		c, done := asked(t, frames.DashboardGet{Tab: 2}, frames.DashboardEntry{Tab: 2, Row: 4, Data: row}, frames.DashboardDone{Tab: 2, Count: 1})
		got, err := c.Changes(ctx)
		same(t, []Change{{4, 'M', 1, 2, "a"}}, got, err)
		done()
	})
	t.Run("diff", func(t *testing.T) {
		c, done := asked(t, frames.DiffGet{Index: 4}, frames.DiffLine{Start: true, Kind: 1, Text: text("a")},
			frames.DiffLine{Kind: 1, Text: text("b")}, frames.DiffLine{Start: true, Kind: 3, Text: text("c")}, frames.DiffDone{})
		got, err := c.Diff(ctx, 4)
		same(t, []Line{{1, "ab"}, {3, "c"}}, got, err)
		done()
	})
	t.Run("detail drops lines of another request", func(t *testing.T) {
		c, done := asked(t, frames.ApprovalDetailGet{Request: 7}, frames.ApprovalDetailLine{Start: true, Request: 6, Text: text("x")},
			frames.ApprovalDetailLine{Start: true, Request: 7, Text: text("y")}, frames.ApprovalDetailDone{Request: 7, Lines: 1})
		got, err := c.Detail(ctx, 7)
		same(t, []Line{{0, "y"}}, got, err)
		done()
	})
}

func TestRowsThatDoNotFitTheirCountAreNoted(t *testing.T) {
	ctx := testContext(t)
	for name, c := range map[string]struct {
		ask   frames.Message
		run   func(*Client) error
		reply []frames.Message
	}{
		"sessions": {frames.SessionListGet{}, func(c *Client) error { _, err := c.Sessions(ctx); return err },
			[]frames.Message{frames.SessionListDone{Count: 1}}},
		"history": {frames.HistoryGet{}, func(c *Client) error { _, err := c.History(ctx); return err },
			[]frames.Message{frames.HistoryText{}, frames.HistoryDone{Entries: 1}}},
		"diff": {frames.DiffGet{}, func(c *Client) error { _, err := c.Diff(ctx, 0); return err },
			[]frames.Message{frames.DiffLine{}, frames.DiffDone{}}},
		"detail": {frames.ApprovalDetailGet{}, func(c *Client) error { _, err := c.Detail(ctx, 0); return err },
			[]frames.Message{frames.ApprovalDetailDone{Lines: 1}}},
		"tab": {frames.DashboardGet{}, func(c *Client) error { _, err := c.Dashboard(ctx, 0); return err },
			[]frames.Message{frames.DashboardDone{Tab: 1}}},
		"folders": {frames.WorkspaceListGet{Path: []byte{}}, func(c *Client) error { _, err := c.WorkspaceList(ctx, ""); return err },
			[]frames.Message{frames.WorkspaceListDone{Count: 2}}},
	} {
		t.Run(name, func(t *testing.T) {
			cl, p, _ := start(t, Config{}, func(w *wire) {
				w.fresh()
				w.expect(c.ask)
				w.send(c.reply...)
				w.quiet()
			})
			must(t, c.run(cl))
			if v := cl.Violations(); len(v) != 1 || !strings.Contains(v[0], "do not fit") {
				t.Errorf("%q", v)
			}
			cl.Close()
			p.finished(1)
		})
	}
}

func TestRequestThatLosesItsLinkCanBeRetried(t *testing.T) {
	c, p, ctx := start(t, Config{Retry: auto}, func(w *wire) {
		w.fresh()
		w.expect(frames.SettingsGet{})
	}, func(w *wire) {
		w.again(0, false, 0)
		w.expect(frames.SettingsGet{})
		w.send(frames.SettingsState{Reasoning: 1})
		w.quiet()
	})
	var got frames.SettingsState
	tries := 0
	must(t, Retry(ctx, func() (err error) {
		tries++
		got, err = c.Settings(ctx)
		if tries == 1 && !errors.Is(err, ErrLinkLost) {
			t.Error(err)
		}
		return err
	}))
	if got.Reasoning != 1 || tries != 2 {
		t.Error(got, tries)
	}
	c.Close()
	p.finished(2)
}
