package lease

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/appliance/workspace"
	"github.com/prompt64/prompt64/frames"
)

func TestFramingFaultIsNamedAndEndsTheConnection(t *testing.T) {
	for name, f := range map[string]frames.Frame{
		"unknown type":   {Type: 0x55},
		"wrong way":      {Type: frames.TypeTurnDone, Payload: []byte{0, 0}},
		"too short":      {Type: frames.TypeAccessSet},
		"surplus":        {Type: frames.TypeHeartbeat, Payload: []byte{1}},
		"half a request": {Type: frames.TypeApprovalDecision, Payload: []byte{0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				c := r.dial()
				c.take()
				if err := c.push(frames.SettingsGet{}); err != nil {
					t.Fatal(err)
				}
				if err := c.att.Request(f); err == nil {
					t.Error("no fault")
				}
				_ = c.push(frames.AccessSet{Access: 2}) // comes too late
				got := c.take()
				if _, ok := got[0].(frames.SettingsState); !ok || len(got) != 2 {
					t.Errorf("got %s", show(got))
				}
				if e := refusal(t, got); e == "" {
					t.Error("the fault is not named")
				}
				isErr(t, c.ended(), ErrFault)
				if r.table.Snapshot()[0].Settings.Access != frames.AccessAsk {
					t.Error("a request after the fault had an effect")
				}
				c.cut()
				r.back(c, 0) // the lease itself is unharmed
			})
		})
	}
}

func TestValueOutOfRangeIsRefusedAndTheConnectionLives(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.take()
		for _, f := range []frames.Frame{
			{Type: frames.TypeAccessSet, Payload: []byte{3}},
			{Type: frames.TypeSettingsSet, Payload: []byte{4}},
			{Type: frames.TypeDashboardGet, Payload: []byte{9}},
			{Type: frames.TypeSessionSelect, Payload: []byte{5}},
			{Type: frames.TypeActionGet, Payload: []byte{200}},
			{Type: frames.TypeDiffGet, Payload: []byte{0}},
			{Type: frames.TypeApprovalDecision, Payload: []byte{9}},
			{Type: frames.TypeApprovalDecision, Payload: []byte{0}},
			{Type: frames.TypeApprovalDetailGet, Payload: []byte{1, 0}},
			{Type: frames.TypeTurnCancel},
			{Type: frames.TypeLeaseGet},
			{Type: frames.TypeReconnect, Payload: make([]byte, 18)},
			{Type: frames.TypeWorkspaceSet, Payload: []byte("nowhere")},
			{Type: frames.TypeWorkspaceListGet, Payload: []byte("nowhere")},
			{Type: frames.TypeUserText, Payload: []byte{7}},
		} {
			if err := c.att.Request(f); err != nil {
				t.Errorf("%v: %v", f.Type, err)
			}
			got := c.take()
			if e := refusal(t, got); len(got) != 1 || e == "" {
				t.Errorf("%v: %s", f.Type, show(got))
			}
		}
		c.send(frames.Heartbeat{})
		single[frames.HeartbeatAck](t, c.take())
	})
}

func TestPayloadIsCopied(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		text := []byte("first")
		_ = c.att.Request(frames.Frame{Type: frames.TypeUserText, Payload: text})
		copy(text, "other")
		r.session(1)
		if p := r.agent.Calls(providertest.OpStart)[0].Prompt; p != "first" {
			t.Errorf("prompt %q", p)
		}
	})
}

func TestAnswersKeepTheOrderOfTheRequests(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		block := make(chan struct{})
		r.ws.change(func(w *fakeWorkspaces) { w.block = block })
		c.take()
		for _, m := range []frames.Message{
			frames.DashboardGet{Tab: frames.TabStatus}, // waits for git
			frames.SettingsGet{},
			frames.SessionListGet{},
			frames.AccessSet{Access: 0},
		} {
			c.send(m)
		}
		if got := c.take(); len(got) != 0 {
			t.Errorf("overtaken: %s", show(got))
		}
		close(block)
		var kinds []string
		for _, m := range c.take() {
			if m.Type() != frames.TypeDashboardEntry {
				kinds = append(kinds, m.Type().String())
			}
		}
		if got := strings.Join(kinds, " "); got != "DashboardDone SettingsState SessionListDone AccessState" {
			t.Errorf("order %s", got)
		}
	})
}

func TestHeartbeatIsAnsweredWhileGitIsSlow(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		block := make(chan struct{})
		defer close(block)
		r.ws.change(func(w *fakeWorkspaces) { w.block = block })
		c.send(frames.DashboardGet{Tab: frames.TabChanges})
		c.take()
		c.send(frames.Heartbeat{})
		single[frames.HeartbeatAck](t, c.take())
		c.prompt("a turn runs, too")
		s := r.session(1)
		s.Text("answer")
		end(s)
		single[frames.TurnDone](t, c.take())
	})
}

func TestHeartbeatKeepsItsPlaceBehindShortReplies(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.slow()
		for _, m := range []frames.Message{
			frames.SettingsGet{}, frames.TurnCancel{}, frames.Heartbeat{}, frames.AccessSet{Access: 0},
		} {
			c.send(m)
		}
		c.read(10)
		var kinds []string
		for _, m := range c.take() {
			kinds = append(kinds, m.Type().String())
		}
		if got := strings.Join(kinds, " "); got != "LeaseState SettingsState Error HeartbeatAck AccessState" {
			t.Errorf("order %s", got)
		}
	})
}

func TestPromptWaitsForTheWorkspaceThatWasChosenBefore(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		block := make(chan struct{})
		r.ws.change(func(w *fakeWorkspaces) { w.block = block })
		c.send(frames.WorkspaceSet{Path: []byte("game")})
		c.prompt("work there")
		c.prompt("and again")
		if len(r.agent.Opened()) != 0 {
			t.Error("the prompt overtook the workspace")
		}
		close(block)
		if w := r.session(1).Spec().Workspace; w != "/root/game" {
			t.Errorf("works in %q", w)
		}
		got := c.take()
		if e := refusal(t, got); !strings.HasPrefix(e, "PROMPT") {
			t.Errorf("the second: %q", e)
		}
		single[frames.WorkspaceState](t, got)
	})
}

func TestSequencedFramesGoOutBetweenThoseOfALongReply(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.slow()
		c.read(5)
		c.take()
		r.ws.change(func(w *fakeWorkspaces) {
			for i := range 100 {
				w.folders[""] = append(w.folders[""], workspace.Entry{Name: strings.Repeat("d", i+1)})
			}
		})
		c.prompt("go")
		s := r.session(1)
		c.send(frames.WorkspaceListGet{})
		for range 20 {
			s.Text("word ")
			time.Sleep(50 * time.Millisecond)
		}
		c.read(60)
		got := c.take()
		texts, rows := len(only[frames.AssistantDelta](got)), len(only[frames.WorkspaceEntry](got))
		if texts != 20 || rows < 20 {
			t.Errorf("%d texts and %d rows in 60 frames", texts, rows)
		}
		c.read(200)
		if d := single[frames.WorkspaceListDone](t, c.take()); d.Count != 102 {
			t.Errorf("%d rows", d.Count)
		}
	})
}

func TestRepliesThatPileUpCloseTheConnection(t *testing.T) {
	for name, m := range map[string]frames.Message{
		"short replies": frames.SettingsGet{}, "heartbeats": frames.Heartbeat{}, "open requests": frames.HistoryGet{},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				c := r.slow()
				for n := 0; !c.link.wasKilled(); n++ {
					if n > 2*maxOpenRequests {
						t.Fatal("nobody objects")
					}
					c.send(m)
				}
				c.read(2)
				isErr(t, c.ended(), ErrPileUp)
				c.cut()
				r.back(c, 0).send(frames.Heartbeat{})
			})
		})
	}
}

func TestALongReplyIsNoPileUp(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.slow()
		lines := make([]workspace.Line, 5000)
		for i := range lines {
			lines[i].Text = "x"
		}
		r.ws.change(func(w *fakeWorkspaces) { w.snap = snapshotOf(lines, workspace.Change{State: 'M', Path: "a"}) })
		c.send(frames.DashboardGet{Tab: frames.TabChanges})
		c.read(10)
		c.send(frames.DiffGet{Index: 0})
		time.Sleep(time.Hour)
		if c.link.wasKilled() {
			t.Fatal("closed")
		}
		c.read(20000)
		single[frames.DiffDone](t, c.take())
	})
}

func TestSlowAnswerForAConnectionThatIsGoneIsDropped(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		block := make(chan struct{})
		r.ws.change(func(w *fakeWorkspaces) { w.block = block })
		c.send(frames.WorkspaceSet{Path: []byte("game")})
		c.send(frames.DashboardGet{Tab: frames.TabStatus})
		c.cut()
		c = r.back(c, 0)
		close(block)
		synctest.Wait()
		if got := c.take(); len(got) != 2 {
			t.Errorf("the new connection got %s", show(got))
		}
		if w := r.table.Snapshot()[0].Workspace; w != "" {
			t.Errorf("workspace %q was set for nobody", w)
		}
	})
}
