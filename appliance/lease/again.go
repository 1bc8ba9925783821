package lease

import (
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// maxAgain bounds what is kept to compare with; the log's limit ends a turn that
// says more.
const maxAgain = 2 * frames.MaxRetained

const wordsAgain = "\n\n(The agent starts this answer again.)\n\n"

// again deals with an agent that lost its connection in the middle of an answer
// and says it again from the start. The C64 has shown the first part by then
// and cannot take it back. So the repetition is compared: as long as it says the
// same, it is not sent; it goes on where the first part stopped. Where it
// differs, a mark is sent and then the whole new answer, which is all that a
// reader can make sense of.
type again struct {
	said     []byte // the answer's text since the last activity
	long     bool   // it is longer than what is kept
	matching bool
	pos      int // how much of said came again
}

// text takes a piece of the answer.
func (l *lease) text(piece string) {
	a := &l.turn.again
	if a.matching {
		piece = l.match(piece)
	}
	if piece == "" {
		return
	}
	if len(a.said)+len(piece) > maxAgain {
		a.long, a.said = true, nil
	}
	if !a.long {
		a.said = append(a.said, piece...)
	}
	l.say(frames.TypeAssistantDelta, piece)
}

// match returns what of piece is new.
func (l *lease) match(piece string) string {
	a := &l.turn.again
	n := min(len(piece), len(a.said)-a.pos)
	if piece[:n] != string(a.said[a.pos:a.pos+n]) {
		piece = string(a.said[:a.pos]) + piece
		l.startAgain()
		return piece
	}
	a.pos += n
	if a.pos == len(a.said) {
		a.matching = false
	}
	return piece[n:]
}

// startAgain marks that the answer is another one now.
func (l *lease) startAgain() {
	l.turn.again = again{}
	l.boundary()
	l.say(frames.TypeAssistantDelta, wordsAgain)
}

// settleAgain ends a comparison: an activity or the end of the turn comes. What
// came again is shorter than the first part, so it is another answer.
func (l *lease) settleAgain() {
	a := l.turn.again
	l.turn.again = again{}
	if a.matching && a.pos > 0 {
		l.startAgain()
		l.say(frames.TypeAssistantDelta, string(a.said[:a.pos]))
	}
}

// retry tells that the agent tries again.
func (l *lease) retry(e provider.RetryEvent) {
	l.out.pending = l.out.shaper().Settle(l.out.pending)
	l.emit(0)
	l.noteActivity("", frames.ActivityFailed, "Trying again: "+e.Reason)
	a := &l.turn.again
	switch {
	case !e.Dropped:
	case a.long:
		l.startAgain()
	default:
		a.matching, a.pos = len(a.said) > 0, 0
	}
}
