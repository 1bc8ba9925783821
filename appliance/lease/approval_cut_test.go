package lease

import (
	"fmt"
	"testing"
	"time"

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

// The wire is cut at each stage of an approval, and the C64
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
