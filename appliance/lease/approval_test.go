package lease

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

func TestAcknowledgementIsLoggedBeforeTheProviderIsTold(t *testing.T) {
	working(t, func(r *rig, c *c64, s *providertest.FakeSession) {
		s.Ask("q", frames.KindFile, "write")
		release := r.agent.Block(providertest.OpDecide)
		c.take()
		c.send(frames.ApprovalDecision{Decision: frames.AcceptOnce})
		single[frames.ApprovalAck](t, c.take()) // though Decide has not returned
		release()
	})
}

func TestOneApprovalIsShownAtATime(t *testing.T) {
	working(t, func(r *rig, c *c64, s *providertest.FakeSession) {
		for _, id := range []string{"a", "b", "c"} {
			s.Ask(id, frames.KindFile, "write "+id)
		}
		s.Push(provider.ApprovalGoneEvent{ID: "b"}) // leaves the line unseen
		for _, id := range []string{"a", "c"} {
			req := single[frames.ApprovalRequest](t, c.take())
			if string(req.Summary) != "write "+id {
				t.Errorf("shown %q, want %s", req.Summary, id)
			}
			c.send(frames.ApprovalDecision{Decision: frames.AcceptOnce, Named: true, Request: req.Seq})
		}
		var told []string
		for _, call := range r.agent.Calls(providertest.OpDecide) {
			told = append(told, call.ApprovalID)
		}
		if strings.Join(told, "") != "ac" {
			t.Errorf("told %v", told)
		}
	})
}

func TestDecisionNeverReachesAnotherApprovalThanTheOneThatWasSeen(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		time.Sleep(time.Minute)
		c.prompt("go")
		s := r.session(1)
		s.Ask("a", frames.KindFile, "harmless")
		first := single[frames.ApprovalRequest](t, c.take())
		s.Push(provider.ApprovalGoneEvent{ID: "a", Reason: "not needed any more"})
		s.Ask("b", frames.KindFile, "dangerous")
		second := single[frames.ApprovalRequest](t, c.take())
		time.Sleep(299 * time.Millisecond)
		for _, m := range []frames.ApprovalDecision{
			{Decision: frames.AcceptOnce}, // was meant for the first
			{Decision: frames.AcceptOnce, Named: true, Request: first.Seq},
			{Decision: frames.AcceptOnce, Named: true, Request: second.Seq + 100},
		} {
			c.send(m)
			c.refused("APPROVAL GONE")
		}
		if n := r.agent.Count(providertest.OpDecide); n != 0 {
			t.Fatalf("the provider was told %d times", n)
		}
		time.Sleep(time.Millisecond)
		c.send(frames.ApprovalDecision{Decision: frames.Decline})
		single[frames.ApprovalAck](t, c.take())
		if calls := r.agent.Calls(providertest.OpDecide); len(calls) != 1 || calls[0].ApprovalID != "b" {
			t.Errorf("told %+v", calls)
		}
		s.Ask("c", frames.KindFile, "the next") // nothing went away since
		c.take()
		c.send(frames.ApprovalDecision{Decision: frames.Decline})
		single[frames.ApprovalAck](t, c.take())
	})
}

func TestUnnamedDecisionIsFastWhereNothingWentAway(t *testing.T) {
	working(t, func(r *rig, c *c64, s *providertest.FakeSession) {
		s.Ask("a", frames.KindFile, "one")
		s.Ask("b", frames.KindFile, "two")
		c.take()
		c.send(frames.ApprovalDecision{Decision: frames.AcceptOnce})
		c.send(frames.ApprovalDecision{Decision: frames.Decline})
		if n := len(only[frames.ApprovalAck](c.take())); n != 2 {
			t.Errorf("%d acknowledgements", n)
		}
	})
}

func TestUnnamedDecisionForARequestNotYetWrittenIsRefused(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.slow()
		c.prompt("go")
		r.session(1).Ask("a", frames.KindFile, "one")
		synctest.Wait()
		c.send(frames.ApprovalDecision{Decision: frames.AcceptOnce})
		if n := r.agent.Count(providertest.OpDecide); n != 0 {
			t.Fatal("a decision reached an approval that nobody saw")
		}
		c.read(20)
		c.refused("APPROVAL GONE")
		c.send(frames.ApprovalDecision{Decision: frames.AcceptOnce})
		c.read(20)
		single[frames.ApprovalAck](t, c.take())
	})
}

func TestRepeatedDecisionIsIgnoredAndAnotherOneRefused(t *testing.T) {
	working(t, func(r *rig, c *c64, s *providertest.FakeSession) {
		s.Ask("a", frames.KindFile, "one")
		req := single[frames.ApprovalRequest](t, c.take())
		for _, named := range []bool{true, false, true} {
			c.send(frames.ApprovalDecision{Decision: frames.AcceptOnce, Named: named, Request: req.Seq})
		}
		if got := c.take(); len(got) != 1 {
			t.Errorf("answers: %s", show(got))
		}
		c.send(frames.ApprovalDecision{Decision: frames.Decline, Named: true, Request: req.Seq})
		c.refused("APPROVAL GONE")
		s.Ask("b", frames.KindFile, "two") // a named repeat does not hit the next one
		c.take()
		c.send(frames.ApprovalDecision{Decision: frames.AcceptOnce, Named: true, Request: req.Seq})
		if got := c.take(); len(got) != 0 || r.agent.Count(providertest.OpDecide) != 1 {
			t.Errorf("a repeat had an effect: %s", show(got))
		}
		end(s)
		c.prompt("next") // drops the acknowledgement
		c.take()
		c.send(frames.ApprovalDecision{Decision: frames.AcceptOnce})
		c.refused("APPROVAL GONE")
	})
}

func TestApprovalThatGoesAwayIsEndedInWords(t *testing.T) {
	working(t, func(r *rig, c *c64, s *providertest.FakeSession) {
		s.Ask("a", frames.KindFile, "one")
		c.take()
		s.Push(provider.ApprovalGoneEvent{ID: "a", Reason: "timed out"})
		got := c.take()
		act := single[frames.ActivityEvent](t, got)
		ack := single[frames.ApprovalAck](t, got)
		if act.Lifecycle != frames.ActivityFailed || string(act.Label) != "timed out" || ack.Seq != act.Seq+1 {
			t.Errorf("ended by %s", show(got))
		}
	})
}

func TestCancelTakesPendingAndWaitingApprovalsAway(t *testing.T) {
	working(t, func(r *rig, c *c64, s *providertest.FakeSession) {
		s.IgnoreCancel(true)
		s.Ask("a", frames.KindFile, "one")
		s.Ask("b", frames.KindFile, "two")
		req := single[frames.ApprovalRequest](t, c.take())
		c.send(frames.TurnCancel{})
		s.Ask("c", frames.KindFile, "three")
		c.send(frames.ApprovalDecision{Decision: frames.AcceptOnce, Named: true, Request: req.Seq})
		c.refused("APPROVAL GONE")
		s.End(provider.EndCancelled, "")
		single[frames.TurnCancelled](t, c.take())
		if n := r.agent.Count(providertest.OpDecide); n != 0 {
			t.Errorf("%d decisions", n)
		}
	})
}

func TestCancelDecisionEndsTheTurnAndAStuckAgentIsKilled(t *testing.T) {
	working(t, func(r *rig, c *c64, s *providertest.FakeSession) {
		s.IgnoreCancel(true)
		s.Ask("a", frames.KindFile, "one")
		c.take()
		c.send(frames.ApprovalDecision{Decision: frames.CancelTurn})
		time.Sleep(5*time.Second + time.Millisecond)
		single[frames.TurnCancelled](t, c.take())
		if r.agent.Count(providertest.OpClose) != 1 {
			t.Error("the agent lives")
		}
	})
}

func TestAgentThatCannotTakeADecisionFailsTheTurnInWords(t *testing.T) {
	working(t, func(r *rig, c *c64, s *providertest.FakeSession) {
		s.Ask("a", frames.KindFile, "one")
		r.agent.Fail(providertest.OpDecide, errors.New("pipe burst"))
		c.take()
		c.send(frames.ApprovalDecision{Decision: frames.AcceptOnce})
		f := single[frames.TurnFailed](t, c.take())
		if !strings.Contains(string(f.Summary), "pipe burst") {
			t.Errorf("failed with %q", f.Summary)
		}
	})
}
