package lease

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

var decisions = []frames.Decision{
	frames.AcceptOnce, frames.AcceptForSession, frames.Decline, frames.CancelTurn,
}

// person is a C64 that keeps to the protocol: it applies what is newer, keeps an
// open decision until its acknowledgement or the end of the turn, and sends it
// again when a replay proves that it was not received.
type person struct {
	r       *rig
	c       *c64
	applied uint16
	asked   uint16 // the request on the screen, 0 if none
	open    *frames.ApprovalDecision
	seen    int // requests shown
	acked   int
	ended   int
}

func (p *person) look() {
	p.r.t.Helper()
	for _, m := range p.c.take() {
		if _, ok := m.(frames.ReconnectDone); ok && p.open != nil {
			p.c.send(*p.open)
			defer p.look()
		}
		for _, seq := range sequences([]frames.Message{m}) {
			if !frames.Newer(seq, p.applied) {
				p.r.t.Errorf("sequence %d sent after %d", seq, p.applied)
				return
			}
			p.applied = seq
		}
		switch m := m.(type) {
		case frames.ApprovalRequest:
			p.asked, p.seen = m.Seq, p.seen+1
		case frames.ApprovalAck:
			p.asked, p.open, p.acked = 0, nil, p.acked+1
		case frames.TurnDone, frames.TurnCancelled, frames.TurnFailed:
			p.asked, p.open, p.ended = 0, nil, p.ended+1
		case frames.Error:
			p.r.t.Errorf("refused: %s", m.Text)
		}
	}
}

func (p *person) decide(d frames.Decision, named bool) {
	p.open = &frames.ApprovalDecision{Decision: d, Named: named}
	if named {
		p.open.Request = p.asked
	}
	p.c.send(*p.open)
}

func (p *person) leave() { p.c.cut() }

func (p *person) comeBack() {
	p.r.t.Helper()
	time.Sleep(5 * time.Second)
	p.c = p.r.back(p.c, p.applied)
	p.look()
}

// TestApprovalMatrix: the wire is cut at each stage of an approval, and the C64
// stays connected, is away while the next stage happens, or came back before it.
func TestApprovalIsNeverInvisibleAndNeverAppliedTwice(t *testing.T) {
	const raised, applied, decided, acknowledged = 0, 1, 2, 3
	stages := []string{"raised", "applied", "decided", "acknowledged"}
	for stage, name := range stages {
		for _, where := range []string{"connected", "away", "back"} {
			for _, d := range decisions {
				for _, named := range []bool{true, false} {
					t.Run(fmt.Sprintf("%s/%s/%d/named=%v", name, where, d, named), func(t *testing.T) {
						bubble(t, func(r *rig) {
							p := &person{r: r, c: r.dial()}
							p.c.prompt("go")
							s := r.session(1)
							// disturb cuts the wire now if this is the stage; what was sent
							// and not looked at is lost with it.
							disturb := func(now int) {
								if now != stage || where == "connected" {
									return
								}
								p.leave()
								if where == "back" {
									p.comeBack()
								}
							}
							home := func() {
								if where == "away" && p.c.ended() != nil {
									p.comeBack()
								}
							}
							s.Ask("q", frames.KindCommand, "rm -rf /")
							disturb(raised)
							home()
							p.look()
							if p.asked == 0 || p.seen != 1 {
								t.Fatalf("the approval is invisible: %+v", p)
							}
							disturb(applied)
							home()
							p.decide(d, named)
							disturb(decided)
							home()
							p.look()
							disturb(acknowledged)
							home()
							p.look()
							if p.open != nil || p.asked != 0 {
								t.Errorf("the decision is open: %+v", p)
							}
							calls := r.agent.Calls(providertest.OpDecide)
							if len(calls) != 1 || calls[0].Decision != d || calls[0].ApprovalID != "q" {
								t.Errorf("the provider was told %+v", calls)
							}
							if d != frames.CancelTurn {
								end(s)
							}
							p.look()
							if p.ended != 1 || p.acked != 1 || p.seen != 1 {
								t.Errorf("%d ends, %d acknowledgements, %d requests", p.ended, p.acked, p.seen)
							}
						})
					})
				}
			}
		}
	}
}

func TestDecisionLostOnTheWayIsAppliedOnceWhenItComesAgain(t *testing.T) {
	bubble(t, func(r *rig) {
		p := &person{r: r, c: r.dial()}
		p.c.prompt("go")
		s := r.session(1)
		s.Ask("q", frames.KindFile, "write")
		p.look()
		p.open = &frames.ApprovalDecision{Decision: frames.Decline, Named: true, Request: p.asked} // never sent
		p.leave()
		p.comeBack()
		if calls := r.agent.Calls(providertest.OpDecide); len(calls) != 1 {
			t.Errorf("told %+v", calls)
		}
	})
}

func TestAcknowledgementIsLoggedBeforeTheProviderIsTold(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		s := r.session(1)
		s.Ask("q", frames.KindFile, "write")
		release := r.agent.Block(providertest.OpDecide)
		c.take()
		c.send(frames.ApprovalDecision{Decision: frames.AcceptOnce})
		single[frames.ApprovalAck](t, c.take()) // though Decide has not returned
		release()
	})
}

func TestOneApprovalIsShownAtATime(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		s := r.session(1)
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
			if e := refusal(t, c.take()); e != "APPROVAL GONE" {
				t.Errorf("refused with %q", e)
			}
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
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		s := r.session(1)
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
		if e := refusal(t, c.take()); e != "APPROVAL GONE" {
			t.Errorf("refused with %q", e)
		}
		c.send(frames.ApprovalDecision{Decision: frames.AcceptOnce})
		c.read(20)
		single[frames.ApprovalAck](t, c.take())
	})
}

func TestRequestAppliedBeforeTheCutNeedsNoSecondLook(t *testing.T) {
	bubble(t, func(r *rig) {
		p := &person{r: r, c: r.dial()}
		p.c.prompt("go")
		r.session(1).Ask("a", frames.KindFile, "one")
		p.look()
		p.leave()
		p.comeBack()
		if p.seen != 1 {
			t.Errorf("the request was shown %d times", p.seen)
		}
		p.decide(frames.Decline, false)
		p.look()
		if p.acked != 1 {
			t.Error("the decision was not taken")
		}
	})
}

func TestRepeatedDecisionIsIgnoredAndAnotherOneRefused(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		s := r.session(1)
		s.Ask("a", frames.KindFile, "one")
		req := single[frames.ApprovalRequest](t, c.take())
		for _, named := range []bool{true, false, true} {
			c.send(frames.ApprovalDecision{Decision: frames.AcceptOnce, Named: named, Request: req.Seq})
		}
		if got := c.take(); len(got) != 1 {
			t.Errorf("answers: %s", show(got))
		}
		c.send(frames.ApprovalDecision{Decision: frames.Decline, Named: true, Request: req.Seq})
		if e := refusal(t, c.take()); e != "APPROVAL GONE" {
			t.Errorf("refused with %q", e)
		}
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
		if e := refusal(t, c.take()); e != "APPROVAL GONE" {
			t.Errorf("refused with %q", e)
		}
	})
}

func TestApprovalThatGoesAwayIsEndedInWords(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		s := r.session(1)
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
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		s := r.session(1)
		s.IgnoreCancel(true)
		s.Ask("a", frames.KindFile, "one")
		s.Ask("b", frames.KindFile, "two")
		req := single[frames.ApprovalRequest](t, c.take())
		c.send(frames.TurnCancel{})
		s.Ask("c", frames.KindFile, "three")
		c.send(frames.ApprovalDecision{Decision: frames.AcceptOnce, Named: true, Request: req.Seq})
		if e := refusal(t, c.take()); e != "APPROVAL GONE" {
			t.Errorf("refused with %q", e)
		}
		s.End(provider.EndCancelled, "")
		single[frames.TurnCancelled](t, c.take())
		if n := r.agent.Count(providertest.OpDecide); n != 0 {
			t.Errorf("%d decisions", n)
		}
	})
}

func TestCancelDecisionEndsTheTurnAndAStuckAgentIsKilled(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		s := r.session(1)
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
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		s := r.session(1)
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

func TestApprovalDetailIsShownForThePendingRequestOnly(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		s := r.session(1)
		s.Push(provider.ApprovalEvent{ID: "a", Kind: frames.KindFile, Summary: "write main.go", Detail: []provider.DetailLine{
			{Kind: frames.LineMetadata, Text: "main.go"},
			{Kind: frames.LineAddition, Text: strings.Repeat("long ", 40)},
			{Kind: frames.LineDeletion, Text: ""},
		}})
		req := single[frames.ApprovalRequest](t, c.take())
		c.send(frames.ApprovalDetailGet{Request: req.Seq})
		got := c.take()
		text := ""
		for _, l := range only[frames.ApprovalDetailLine](got) {
			if l.Request != req.Seq {
				t.Errorf("line of %d", l.Request)
			}
			if l.Start {
				text += fmt.Sprint("\n", uint8(l.Kind), " ")
			}
			text += string(l.Text)
		}
		if want := "\n3 main.go\n1 " + strings.Repeat("long ", 40) + "\n2 "; text != want {
			t.Errorf("detail %q", text)
		}
		if d := single[frames.ApprovalDetailDone](t, got); d.Lines != 3 || d.Request != req.Seq {
			t.Errorf("done %+v", d)
		}
		c.send(frames.ApprovalDecision{Decision: frames.Decline})
		c.take()
		c.send(frames.ApprovalDetailGet{Request: req.Seq})
		if e := refusal(t, c.take()); e != "APPROVAL GONE" {
			t.Errorf("refused with %q", e)
		}
	})
}

func TestDetailThatIsCutSaysSoBeforeItCanBeAccepted(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		var detail []provider.DetailLine
		for range 500 {
			detail = append(detail, provider.DetailLine{Kind: frames.LineAddition, Text: strings.Repeat("x", 50)})
		}
		r.session(1).Push(provider.ApprovalEvent{ID: "a", Summary: strings.Repeat("s", 200), Detail: detail})
		req := single[frames.ApprovalRequest](t, c.take())
		if len(req.Summary) != frames.MaxSummary || !strings.HasSuffix(string(req.Summary), wordsDetailCut) {
			t.Errorf("summary %q", req.Summary)
		}
		c.send(frames.ApprovalDetailGet{Request: req.Seq})
		lines := only[frames.ApprovalDetailLine](c.take())
		size := 0
		for _, l := range lines[:len(lines)-1] {
			size += len(l.Text)
		}
		last := lines[len(lines)-1]
		if size != frames.MaxDetail || last.Kind != frames.LineMetadata || string(last.Text) != "... 255 MORE LINES" {
			t.Errorf("%d bytes, then %q", size, last.Text)
		}
	})
}

func TestDetailIsCalledCutExactlyWhenItIs(t *testing.T) {
	line := func(s string, n int) (out []provider.DetailLine) {
		for range n {
			out = append(out, provider.DetailLine{Text: s})
		}
		return out
	}
	for name, tc := range map[string]struct {
		lines []provider.DetailLine
		cut   bool
	}{
		"to the byte":           {line(strings.Repeat("x", 64), 192), false},
		"a byte more":           {append(line(strings.Repeat("x", 64), 192), line("", 1)...), true},
		"tabs are four":         {line("\t"+strings.Repeat("x", 56), 220), true},
		"accents are one":       {line(strings.Repeat("\u00e9", 64), 192), false},
		"one line, to the byte": {line(strings.Repeat("x", 12288), 1), false},
		"one line, a byte more": {line(strings.Repeat("x", 12289), 1), true},
	} {
		bubble(t, func(r *rig) {
			c := r.dial()
			c.prompt("go")
			r.session(1).Push(provider.ApprovalEvent{ID: "a", Summary: "s", Detail: tc.lines})
			req := single[frames.ApprovalRequest](t, c.take())
			said := strings.HasSuffix(string(req.Summary), wordsDetailCut)
			c.send(frames.ApprovalDetailGet{Request: req.Seq})
			cut := false
			for _, l := range only[frames.ApprovalDetailLine](c.take()) {
				cut = cut || strings.HasSuffix(string(l.Text), "MORE LINES")
			}
			if said != tc.cut || cut != tc.cut {
				t.Errorf("%s: said %v, is cut %v, want %v", name, said, cut, tc.cut)
			}
		})
	}
}
