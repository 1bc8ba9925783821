package lease

import (
	"time"

	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/display"
)

const wordsOverflow = "The turn was stopped: its output is over 64 KiB. Ask for less at a time."

// output is what stands between a provider's deltas and the log: shaped bytes
// that wait for more, so that the limit is spent on text and not on headers.
type output struct {
	timer     *time.Timer // runs for mergeTime after each frame of text
	running   bool
	kind      frames.Type // of pending
	pending   []byte
	text      *display.Shaper
	reasoning *display.Shaper
}

// begin makes fresh shapers for a turn.
func (o *output) begin(s Settings) {
	o.stop()
	o.kind, o.pending = frames.TypeAssistantDelta, o.pending[:0]
	opts := display.Options{Palette: s.palette(), Markdown: true}
	o.text, o.reasoning = display.New(opts), display.New(opts)
}

func (o *output) stop() {
	o.timer.Stop()
	o.running = false
	o.pending = o.pending[:0]
}

func (o *output) shaper() *display.Shaper {
	if o.kind == frames.TypeReasoningDelta {
		return o.reasoning
	}
	return o.text
}

// say takes a delta. The first after a silence goes out at once; what follows
// waits until a frame is full or mergeTime is over.
func (l *lease) say(kind frames.Type, text string) {
	o := &l.out
	l.said.stream(saidKind(kind), text)
	if o.kind != kind {
		l.boundary()
		o.kind = kind
	}
	o.pending = o.shaper().Write(o.pending, text)
	if !o.running {
		l.emit(0)
		o.running = true
		o.timer.Reset(mergeTime)
		return
	}
	l.emit(frames.MaxDeltaText)
}

func saidKind(kind frames.Type) SaidKind {
	if kind == frames.TypeReasoningDelta {
		return SaidReasoning
	}
	return SaidText
}

// merged is the end of mergeTime.
func (l *lease) merged() {
	o := &l.out
	o.running = false
	if l.turn == nil || l.turn.failure != "" {
		return
	}
	o.pending = o.shaper().Settle(o.pending)
	if len(o.pending) == 0 {
		return
	}
	l.emit(0)
	o.running = true
	o.timer.Reset(mergeTime)
}

// boundary brings out all that is held, before something else is logged.
func (l *lease) boundary() {
	o := &l.out
	o.pending = o.shaper().Flush(o.pending)
	l.emit(0)
}

// emit logs frames of what is pending while more than keep bytes are.
func (l *lease) emit(keep int) {
	o := &l.out
	rest := o.pending
	for len(rest) > keep {
		var head []byte
		head, rest = display.Split(rest, frames.MaxDeltaText)
		if !l.tell(deltaFrame(o.kind, l.log.upcoming(), head)) {
			return
		}
	}
	o.pending = append(o.pending[:0], rest...)
}

func deltaFrame(kind frames.Type, seq uint16, text []byte) frames.Message {
	if kind == frames.TypeReasoningDelta {
		return frames.ReasoningDelta{Seq: seq, Text: text}
	}
	return frames.AssistantDelta{Seq: seq, Text: text}
}

// tell logs a frame of the turn. The frame that would cross the limit is not
// added: the provider is cancelled, and once it stopped the turn ends in words.
func (l *lease) tell(m frames.Message) bool {
	if l.turn == nil || l.turn.failure != "" {
		return false
	}
	if l.log.add(m, false) {
		return true
	}
	if f := l.feed; f != nil { // what was kept of the turn before, and is written now
		l.log.drop(min(l.turn.first, f.firstUnwritten()))
		if l.log.add(m, false) {
			return true
		}
	}
	l.slog.Warn("turn is over the limit of the retained log", "bytes", l.log.size())
	l.out.stop()
	l.stopTurn(wordsOverflow)
	return false
}
