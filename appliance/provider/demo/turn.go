package demo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/hang"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/transcript"
	"github.com/prompt64/prompt64/frames"
)

// contextWindow is what the demo claims to have, in tokens; bytesPerToken is
// the usual estimate for English.
const (
	contextWindow = 128_000
	bytesPerToken = 4
)

// turn is one turn at work. Its methods belong to the turn's goroutine.
type turn struct {
	s      *session
	rec    *transcript.Record
	opts   provider.TurnOptions
	ctx    context.Context // ends with Cancel and Close
	cancel context.CancelFunc
	stored *transcript.Turn // guarded by the store

	said strings.Builder // what is kept of the answer
	more int             // how many bytes were said beyond that
}

// failure ends a turn as failed, in the user's words.
type failure string

func (f failure) Error() string { return string(f) }

// errCrash is the agent's death.
var errCrash = errors.New("the demo crashed, as it was told to")

// run plays a turn and ends it.
func (t *turn) run(prompt string) {
	defer t.cancel()
	t.keep(func(r *transcript.Record) { r.Turns = append(r.Turns, t.stored) })
	err := guarded.Call("demo turn", func() error {
		hang.Here("demo turn")
		return t.dispatch(prompt)
	})
	t.finish(err)
}

// finish stores the turn and tells its end. The order matters: who reads the
// end may look at the history, start the next turn, or open the session anew.
func (t *turn) finish(err error) {
	end, ended := provider.EndEvent{}, transcript.Done
	var failed failure
	crashed := errors.Is(err, errCrash) || provider.IsFault(err)
	switch {
	case err == nil:
	case crashed:
		end, ended = provider.Failed(err), transcript.Failed
	case errors.As(err, &failed):
		end, ended = provider.EndEvent{End: provider.EndFailed, Reason: string(failed)}, transcript.Failed
	default: // the context of the turn ended
		end, ended = provider.EndEvent{End: provider.EndCancelled}, transcript.Cancelled
	}
	answer := t.said.String()
	if t.more > 0 {
		answer += fmt.Sprintf("\n\n(%d more bytes were not kept)", t.more)
	}
	t.keep(func(*transcript.Record) { t.stored.Answer, t.stored.End, t.stored.Reason = answer, ended, end.Reason })
	if crashed {
		t.s.die()
	} else {
		t.put(t.usage())
	}
	t.s.mu.Lock()
	t.s.turn = nil
	clear(t.s.pending)
	t.s.mu.Unlock()
	t.put(end)
	if crashed {
		t.s.queue.Finish()
	}
}

// keep changes the session's record and stores it.
func (t *turn) keep(change func(*transcript.Record)) {
	t.s.p.store.Update(t.rec, change)
	t.s.p.store.Save(t.rec)
}

// usage estimates how much of a context the session would take.
func (t *turn) usage() provider.UsageEvent {
	size := 0
	t.s.p.store.View(t.rec, func(r *transcript.Record) { size = r.Size() })
	return provider.UsageEvent{Used: int64((size + t.more) / bytesPerToken), Window: contextWindow}
}

// push sends an event; the error is the turn's end.
func (t *turn) push(ev provider.Event) error { return t.s.queue.Push(t.ctx, ev) }

// put sends an event that a cancelled turn must still send. After Close there
// is nobody to read it.
func (t *turn) put(ev provider.Event) { _ = t.s.queue.Put(ev) }

// say sends a piece of the answer, and keeps it for the history.
func (t *turn) say(text string) error {
	if text == "" {
		return t.ctx.Err()
	}
	if err := t.push(provider.TextEvent{Text: text}); err != nil {
		return err
	}
	if t.more > 0 || t.said.Len()+len(text) > transcript.MaxAnswer {
		t.more += len(text)
		return nil
	}
	t.said.WriteString(text)
	return nil
}

// sayWords sends a text in word-sized pieces, as an agent would.
func (t *turn) sayWords(text string) error {
	for len(text) > 0 {
		n := strings.IndexByte(text[1:], ' ') + 1
		if n == 0 {
			n = len(text)
		}
		if err := t.say(text[:n]); err != nil {
			return err
		}
		text = text[n:]
	}
	return nil
}

// think sends a piece of reasoning if the setting shows it.
func (t *turn) think(ev provider.ReasoningEvent) error {
	if !ev.Visible(t.opts.Reasoning) {
		return t.ctx.Err()
	}
	return t.push(ev)
}

// activity tells that a tool starts. What it returns tells how that ended, and
// does so in a cancelled turn too.
func (t *turn) activity(label string) (end func(ok bool), err error) {
	ev := provider.ActivityEvent{ID: t.s.number("activity"), Lifecycle: frames.ActivityStarted, Label: label}
	if err := t.push(ev); err != nil {
		return nil, err
	}
	return func(ok bool) {
		ev.Lifecycle = frames.ActivityFailed
		if ok {
			ev.Lifecycle = frames.ActivityCompleted
		}
		t.put(ev)
	}, nil
}
