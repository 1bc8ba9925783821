package lease

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

const wordsDetailCut = " (DETAIL CUT)"

// approval is one that the user is asked.
type approval struct {
	provider.ApprovalEvent
	seq uint16 // of its ApprovalRequest, which is its name
}

// line is the approvals of a turn: one is shown, the others wait.
type line struct {
	pending *approval // nil if none is shown
	waiting []provider.ApprovalEvent
	last    *decided // the last one that was decided
}

type decided struct {
	decision     frames.Decision
	request, ack uint16
}

// settle takes all approvals away: the turn ends or is cancelled.
func (q *line) settle() { q.pending, q.waiting = nil, nil }

// askUser puts an approval in line.
func (l *lease) askUser(e provider.ApprovalEvent) {
	if l.turn.stopping {
		return // it is cancelled with the turn
	}
	l.line.waiting = append(l.line.waiting, e)
	l.raise()
}

// raise shows the next approval if none is shown.
func (l *lease) raise() {
	if l.line.pending != nil || len(l.line.waiting) == 0 {
		return
	}
	e := l.line.waiting[0]
	l.line.waiting = l.line.waiting[1:]
	seq := l.log.upcoming()
	if !l.tell(frames.ApprovalRequest{Seq: seq, Kind: e.Kind, Summary: l.summary(e)}) {
		return
	}
	l.line.pending = &approval{e, seq}
	l.said.add(Said{Kind: SaidApproval, Request: seq, About: e.Kind, Text: e.Summary, Detail: cutDetail(e.Detail)})
	if f := l.feed; f != nil {
		f.seen = sight{ghost: f.seen.ghost}
	}
}

// summary fits the approval's line; a detail that is cut says so here, where it
// is read before any answer.
func (l *lease) summary(e provider.ApprovalEvent) []byte {
	if !detailIsCut(e.Detail, l.turn.settings) {
		return head(e.Summary, l.turn.settings, frames.MaxSummary)
	}
	s := head(e.Summary, l.turn.settings, frames.MaxSummary-len(wordsDetailCut))
	return append(s, wordsDetailCut...)
}

// decide takes a decision if it can only be meant for the pending approval.
func (l *lease) decide(m frames.ApprovalDecision) {
	p := l.line.pending
	switch {
	case p != nil && m.Named && m.Request == p.seq:
	case p != nil && !m.Named && l.feed.seen.trusts(l.table.now()):
	case l.repeats(m):
		return // the acknowledgement is in the log, and replayed from there
	default:
		l.refuse(frames.ErrorApprovalGone)
		return
	}
	l.take(p, m.Decision)
}

// trusts says that an answer without a name is for the pending approval: it was
// shown on this connection, and has stood long enough where the one before it
// went away under the user's hand.
func (s sight) trusts(now time.Duration) bool {
	if !s.handed {
		return false
	}
	return !s.ghost || !s.fresh && now-s.at >= seenTime
}

// repeats says that m was taken before: it came again after a reconnect.
func (l *lease) repeats(m frames.ApprovalDecision) bool {
	d := l.line.last
	if d == nil || d.decision != m.Decision || !l.log.holds(d.ack) {
		return false
	}
	if m.Named {
		return m.Request == d.request
	}
	return l.line.pending == nil
}

// take logs the acknowledgement, and only then tells the provider, once.
func (l *lease) take(p *approval, d frames.Decision) {
	ack := l.log.upcoming()
	l.log.add(frames.ApprovalAck{Seq: ack}, true)
	l.line.pending, l.line.last = nil, &decided{d, p.seq, ack}
	l.feed.seen = sight{}
	l.said.add(Said{Kind: SaidDecision, Request: p.seq, Decision: d, Text: p.Summary})
	l.slog.Info("approval decided", "request", p.seq, "decision", d)
	l.tellDecision(p.ID, d)
	if d == frames.CancelTurn {
		l.line.settle()
		l.turn.stopping = true // the decision asks the provider to stop
		l.agent.killer.Reset(stopTime)
		return
	}
	l.raise()
}

func (l *lease) tellDecision(id string, d frames.Decision) {
	s, t := l.agent.session, l.turn
	if s == nil {
		return // it died in this moment; the event of that is on its way
	}
	l.beside(func() {
		ctx, cancel := context.WithTimeout(l.ctx, callTime)
		defer cancel()
		err := s.Decide(ctx, id, d)
		if err == nil || errors.Is(err, provider.ErrApprovalGone) || errors.Is(err, provider.ErrClosed) {
			return
		}
		l.slog.Error("the agent did not take a decision", "err", err)
		l.post(func() {
			if l.turn == t {
				l.stopTurn("The agent did not take your decision: " + reason(err))
			}
		})
	})
}

// approvalGone ends an approval that went away without a decision while its turn
// goes on.
func (l *lease) approvalGone(e provider.ApprovalGoneEvent) {
	p := l.line.pending
	if p == nil || p.ID != e.ID {
		l.line.waiting = slices.DeleteFunc(l.line.waiting, func(w provider.ApprovalEvent) bool { return w.ID == e.ID })
		return
	}
	l.boundary()
	l.line.pending = nil
	if f := l.feed; f != nil {
		f.seen = sight{ghost: f.seen.ghost || f.seen.handed}
	}
	reason := e.Reason
	if reason == "" {
		reason = "The question was withdrawn."
	}
	l.said.add(Said{Kind: SaidWithdrawn, Request: p.seq, Text: reason})
	l.noteActivity("", frames.ActivityFailed, reason)
	if l.turn.failure != "" {
		return // over the limit; the end of the turn settles it
	}
	l.log.add(frames.ApprovalAck{Seq: l.log.upcoming()}, true)
	l.raise()
}
