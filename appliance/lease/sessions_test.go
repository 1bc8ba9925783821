package lease

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/appliance/workspace"
	"github.com/prompt64/prompt64/frames"
)

func TestSessionListIsTheNewest32AndStaysAsListed(t *testing.T) {
	bubble(t, func(r *rig) {
		for i := range 40 {
			r.agent.AddSession("/root/", provider.SessionInfo{
				ID: fmt.Sprint("s", i), Title: strings.Repeat("t", i*4), Updated: time.Unix(int64(i), 0)})
		}
		c := r.dial()
		c.send(frames.SessionListGet{})
		got := c.take()
		list := only[frames.SessionEntry](got)
		if d := single[frames.SessionListDone](t, got); len(list) != 32 || d.Count != 32 {
			t.Fatalf("%d entries, %+v", len(list), d)
		}
		if len(list[0].Title) != 90 || list[0].Current || list[31].Index != 31 {
			t.Errorf("first %+v, last %+v", list[0], list[31])
		}
		r.agent.AddSession("/root/", provider.SessionInfo{ID: "new", Updated: time.Unix(99, 0)})
		c.send(frames.SessionSelect{Index: 2})
		c.prompt("go")
		if id := r.session(1).Spec().SessionID; id != "s37" {
			t.Errorf("index 2 opened %q", id)
		}
		end(r.session(1))
		c.take()
		c.send(frames.SessionListGet{})
		for _, e := range only[frames.SessionEntry](c.take()) {
			if e.Current != strings.HasPrefix(string(e.Title), "ttt") && e.Current {
				t.Errorf("current is %+v", e)
			}
		}
	})
}

func TestWorkspaceAndSessionAreNotChangedInATurn(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		for _, m := range []frames.Message{
			frames.WorkspaceSet{Path: []byte("game")}, frames.SessionSelect{Index: frames.SessionNew},
		} {
			c.take()
			c.send(m)
			if e := refusal(t, c.take()); !strings.Contains(e, wordsTurnActive) {
				t.Errorf("refused with %q", e)
			}
		}
		if r.agent.Count(providertest.OpClose) != 0 {
			t.Error("the session was closed")
		}
	})
}

func TestWorkspaceSetLeavesTheSessionAndStartsANewOneThere(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		end(r.session(1))
		c.take()
		c.send(frames.WorkspaceSet{Path: []byte("game")})
		if s := single[frames.WorkspaceState](t, c.take()); string(s.Path) != "game" {
			t.Errorf("state %q", s.Path)
		}
		c.prompt("go")
		if s := r.session(2).Spec(); s.Workspace != "/root/game" || s.SessionID != "" {
			t.Errorf("opened %+v", s)
		}
		if r.agent.Count(providertest.OpClose) != 1 {
			t.Error("the older session was not closed")
		}
		end(r.session(2))
		c.take()
		c.send(frames.SessionListGet{})
		if n := len(only[frames.SessionEntry](c.take())); n != 1 {
			t.Errorf("%d sessions in that workspace", n)
		}
	})
}

func TestLongWorkspacePathKeepsItsTail(t *testing.T) {
	long := strings.Repeat("deep/", 30) + "end"
	bubble(t, func(r *rig) {
		r.ws.change(func(w *fakeWorkspaces) { w.folders[long] = nil })
		c := r.dial()
		c.send(frames.WorkspaceSet{Path: []byte(long)})
		s := single[frames.WorkspaceState](t, c.take())
		if len(s.Path) != 92 || !strings.HasPrefix(string(s.Path), "...") || !strings.HasSuffix(string(s.Path), "/end") {
			t.Errorf("path %q", s.Path)
		}
	})
}

func TestWorkspaceListMarksRepositoriesAndCountsTheRest(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.send(frames.WorkspaceListGet{})
		got := only[frames.WorkspaceEntry](c.take())
		if len(got) != 2 || !got[0].Git || string(got[0].Name) != "game" || got[1].Git {
			t.Errorf("list %+v", got)
		}
		r.ws.change(func(w *fakeWorkspaces) {
			w.folders["notes"] = make([]workspace.Entry, 200)
		})
		c.send(frames.WorkspaceListGet{Path: []byte("notes")})
		all := c.take()
		got = only[frames.WorkspaceEntry](all)
		if d := single[frames.WorkspaceListDone](t, all); d.Count != 129 || string(got[128].Name) != "... 72 MORE" {
			t.Errorf("%d rows, the last %q", d.Count, got[128].Name)
		}
	})
}

// told joins a history as the C64 would.
func told(all []frames.Message) (entries []string) {
	for _, h := range only[frames.HistoryText](all) {
		if h.Start {
			entries = append(entries, fmt.Sprint(uint8(h.Speaker), " "))
		}
		entries[len(entries)-1] += string(h.Text)
	}
	return entries
}

func TestHistoryIsShapedAndInOrder(t *testing.T) {
	bubble(t, func(r *rig) {
		stored(r)
		c := r.dial()
		c.send(frames.HistoryGet{}) // of a new session
		if d := single[frames.HistoryDone](t, c.take()); d.Entries != 0 || len(r.agent.Opened()) != 0 {
			t.Errorf("a new session has %d entries, or was opened", d.Entries)
		}
		c.send(frames.SessionListGet{})
		c.send(frames.SessionSelect{Index: 1})
		c.take()
		c.send(frames.HistoryGet{})
		got := c.take()
		if h := told(got); len(h) != 2 || h[0] != "0 question" || h[1] != "1 answer" {
			t.Errorf("history %q", h)
		}
		if d := single[frames.HistoryDone](t, got); d.Entries != 2 {
			t.Errorf("%+v", d)
		}
		c.prompt("go") // in the session that was opened for it
		if n := len(r.agent.Opened()); n != 1 {
			t.Errorf("%d sessions opened", n)
		}
	})
}

func TestHistoryIsTheNewest16KiB(t *testing.T) {
	bubble(t, func(r *rig) {
		var entries []provider.Entry
		for i := range 50 {
			entries = append(entries, provider.Entry{Speaker: frames.Speaker(i % 2), Text: fmt.Sprint(i, strings.Repeat(" word", 199))})
		}
		r.agent.AddSession("/root/", provider.SessionInfo{ID: "a"}, entries...)
		c := r.dial()
		c.send(frames.SessionListGet{})
		c.send(frames.SessionSelect{Index: 0})
		c.take()
		c.send(frames.HistoryGet{})
		h := told(c.take())
		size := 0
		for _, e := range h {
			size += len(e) - 2
		}
		if size != frames.MaxHistory || !strings.HasPrefix(h[0], "1 ...") || !strings.HasPrefix(h[len(h)-1], "1 49 word") {
			t.Errorf("%d bytes, first %.20q, last %.20q", size, h[0], h[len(h)-1])
		}
	})
}

func TestHistoryThatFailsSaysWhy(t *testing.T) {
	bubble(t, func(r *rig) {
		stored(r)
		c := r.dial()
		c.send(frames.SessionListGet{})
		c.send(frames.SessionSelect{Index: 0})
		r.agent.Fail(providertest.OpHistory, provider.ErrNoSession)
		c.take()
		c.send(frames.HistoryGet{})
		c.refused("HISTORY: no such session")
		r.agent.Block(providertest.OpHistory)
		c.send(frames.HistoryGet{})
		time.Sleep(callTime)
		c.refused("HISTORY: it took too long, try again")
	})
}
