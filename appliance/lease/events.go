package lease

import (
	"strings"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// event takes what the agent reports; ok is false when its session is over.
func (l *lease) event(ev provider.Event, ok bool) {
	if !ok {
		l.lost()
		if l.turn != nil && l.turn.asked {
			l.endTurn(failed(wordsDied))
		}
		return
	}
	switch e := ev.(type) {
	case provider.UsageEvent:
		l.agent.usage = e
		return
	case provider.EndEvent:
		l.endTurn(e)
		return
	}
	if t := l.turn; t == nil || t.failure != "" {
		return // late, or beyond the limit: it has no place
	}
	switch e := ev.(type) {
	case provider.TextEvent:
		l.text(e.Text)
	case provider.ReasoningEvent:
		if e.Visible(l.turn.settings.Reasoning) {
			l.say(frames.TypeReasoningDelta, e.Text)
		}
	case provider.ActivityEvent:
		l.settleAgain()
		l.boundary()
		l.tellActivity(e)
	case provider.ApprovalEvent:
		l.boundary()
		l.askUser(e)
	case provider.ApprovalGoneEvent:
		l.approvalGone(e)
	case provider.RetryEvent:
		l.retry(e)
	}
}

func failed(words string) provider.EndEvent {
	return provider.EndEvent{End: provider.EndFailed, Reason: words}
}

// endTurn ends the turn that runs with exactly one frame; it does nothing if
// none runs.
func (l *lease) endTurn(e provider.EndEvent) {
	t := l.turn
	if t == nil {
		return
	}
	t.ending = true
	if t.failure == "" {
		l.settleAgain()
		l.boundary()
	}
	l.noteSession()
	l.line.settle()
	l.out.stop()
	l.agent.killer.Stop()
	if e.End == provider.EndFailed && t.stopping && t.failure == "" {
		l.slog.Warn("the agent failed while it was cancelled", "reason", e.Reason)
		e.End = provider.EndCancelled
	}
	if t.failure != "" {
		e = failed(t.failure)
	}
	if e.End != provider.EndFailed {
		l.agent.failures = 0
	}
	if e.End != provider.EndDone {
		l.activity.settle()
	}
	l.log.add(endFrame(l.log.upcoming(), e, t.settings), true)
	l.said.add(Said{Kind: SaidEnd, End: e.End, Text: e.Reason})
	l.turn = nil
	l.active.Store(false)
	l.slog.Info("turn ends", "end", e.End, "reason", e.Reason, "sequence", l.log.last)
}

func endFrame(seq uint16, e provider.EndEvent, s Settings) frames.Message {
	switch e.End {
	case provider.EndDone:
		return frames.TurnDone{Seq: seq}
	case provider.EndCancelled:
		return frames.TurnCancelled{Seq: seq}
	}
	reason := e.Reason
	if strings.TrimSpace(reason) == "" {
		reason = "The agent failed and did not say why."
	}
	return frames.TurnFailed{Seq: seq, Summary: head(reason, s, frames.MaxDeltaText)}
}
