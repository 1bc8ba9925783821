package acp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/transcript"
)

// turn is one turn at work. What it streams belongs to the goroutine that reads
// the agent, from the prompt to its answer; before and after that, to the turn's
// own.
type turn struct {
	s      *session
	rec    *transcript.Record
	prompt string
	opts   provider.TurnOptions
	ctx    context.Context // ends with Cancel and Close
	cancel context.CancelFunc
	ended  chan struct{}
	stored *transcript.Turn // guarded by the store

	// Guarded by the session's lock.
	agent     *agent
	sent      bool            // the prompt is on its way
	cancelled bool            // by the user, or by Close
	declined  map[string]bool // tool calls that were not allowed

	talk  talk
	tools tools
	plan  plan
	usage provider.UsageEvent
}

// outcome is what came of a prompt.
type outcome struct {
	result promptResult
	err    error
}

func newTurn(s *session, prompt string, opts provider.TurnOptions) *turn {
	t := &turn{
		s: s, rec: s.rec, prompt: prompt, opts: opts,
		ended:    make(chan struct{}),
		stored:   &transcript.Turn{Prompt: transcript.Cut(prompt, transcript.MaxAnswer)},
		declined: map[string]bool{},
	}
	t.ctx, t.cancel = context.WithCancel(s.life)
	t.tools.calls = map[string]*toolCall{}
	return t
}

// run plays a turn and ends it.
func (t *turn) run() {
	defer t.cancel()
	defer close(t.ended)
	t.keep(func(r *transcript.Record) { r.Turns = append(r.Turns, t.stored) })
	t.s.touch()
	answer := make(chan outcome, 1)
	guarded.Go("prompt to the agent", func() {
		result, err := t.ask()
		answer <- outcome{result, err}
	}, func(err error) { answer <- outcome{err: err} })
	t.finish(t.watch(answer))
}

// ask brings the prompt to the agent and waits for the turn's end. Once the
// prompt is sent, only its answer or the agent's end ends the wait: what came
// before them has been handled then.
func (t *turn) ask() (promptResult, error) {
	a, err := t.s.agent(t.ctx)
	if err != nil {
		return promptResult{}, err
	}
	t.s.mu.Lock()
	t.agent = a
	t.s.mu.Unlock()
	if a.session() == "" {
		if err := a.newSession(t.ctx, t.s.spec.Workspace); err != nil {
			return promptResult{}, err
		}
		t.keep(func(r *transcript.Record) { r.Agent = a.session() })
	}
	if err := a.setAccess(t.ctx, t.opts.Access); err != nil {
		return promptResult{}, err
	}
	blocks := []sdk.ContentBlock{sdk.TextBlock(t.prompt)}
	t.s.mu.Lock()
	tell := t.s.tell
	t.s.tell = false
	t.s.mu.Unlock()
	if tell {
		blocks = append([]sdk.ContentBlock{sdk.TextBlock(t.past())}, blocks...)
	}
	if err := t.rest(); err != nil {
		return promptResult{}, err
	}
	t.s.stream.Store(t)
	result, err := request[promptResult](context.Background(), a, sdk.AgentMethodSessionPrompt,
		sdk.PromptRequest{SessionId: sdk.SessionId(a.session()), Prompt: blocks})
	if err != nil {
		t.s.mu.Lock()
		t.s.failed = time.Now()
		t.s.mu.Unlock()
	}
	return result, err
}

// restTime is how long a turn that failed may go on behind the error that says so.
// codex-acp 0.16.0 answers before its turn has ended: of sixty prompts that came at
// once one was added to that turn, and was never answered nor could be cancelled.
// Nothing tells when it has ended.
const restTime = time.Second

// rest waits until a turn that failed is over at the agent, too.
func (t *turn) rest() error {
	t.s.mu.Lock()
	left := restTime - time.Since(t.s.failed)
	t.s.mu.Unlock()
	if left > 0 {
		select {
		case <-time.After(left):
		case <-t.ctx.Done():
		}
	}
	return t.ctx.Err()
}

// maxPast bounds what an agent is told of a session that it forgot.
const maxPast = 16 << 10

// past is what was said before, for an agent that does not know it.
func (t *turn) past() string {
	var entries []provider.Entry
	t.s.p.store.View(t.rec, func(r *transcript.Record) { entries = r.History() })
	var b strings.Builder
	for _, e := range entries {
		who := "User"
		if e.Speaker != 0 {
			who = "You"
		}
		fmt.Fprintf(&b, "%s: %s\n\n", who, e.Text)
	}
	said := b.String()
	if len(said) > maxPast {
		said = strings.ToValidUTF8(said[len(said)-maxPast:], "")
	}
	return "This conversation goes on from an earlier one. What was said there:\n\n" + said
}

// watch waits for the turn's end. It tells the user when the agent is silent, and
// repeats a cancel that the agent did not follow: some lose one that comes early.
func (t *turn) watch(answer <-chan outcome) outcome {
	const again = time.Second
	q := quiet{t: t, limit: t.s.p.cfg.Silence}
	tick := time.NewTimer(q.next())
	defer tick.Stop()
	cancelled := t.ctx.Done()
	for {
		select {
		case o := <-answer:
			q.close()
			return o
		case <-cancelled:
			cancelled = nil
			tick.Reset(again)
			continue
		case <-tick.C:
		}
		q.look()
		wait := q.next()
		t.s.mu.Lock()
		repeat := t.cancelled && t.sent
		stopping := t.cancelled
		t.s.mu.Unlock()
		if repeat {
			t.agent.cancel()
		}
		if stopping {
			wait = min(wait, again)
		}
		tick.Reset(wait)
	}
}

// wait waits for the turn's end, but not for ever.
func (t *turn) wait(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-t.ended:
	case <-timer.C:
	}
}

// finish stores the turn and tells its end. The order matters: who reads the end
// may look at the history, start the next turn, or open the session anew.
func (t *turn) finish(o outcome) {
	s := t.s
	s.stream.Store(nil)
	s.mu.Lock()
	cancelled, declined := t.cancelled, len(t.declined) > 0
	died := t.agent != nil && t.agent.dead()
	left := s.clear()
	s.mu.Unlock()
	for _, a := range left {
		a.cancel() // an agent must not end a turn before its questions, but may
	}
	end, words := t.judge(o, cancelled, declined, died)
	if words != "" {
		t.talk.apart = true
		t.say(words, "")
	}
	t.put(t.tools.close(t, end.End == provider.EndDone)...)
	t.put(t.plan.close(end.End == provider.EndDone)...)
	if t.usage.Used > 0 {
		t.put(t.usage)
	} else if total := o.result.Usage.TotalTokens; total > 0 {
		t.put(provider.UsageEvent{Used: total, Window: max(t.usage.Window, 0)})
	}
	t.keep(func(*transcript.Record) {
		t.stored.Answer, t.stored.End, t.stored.Reason = t.talk.kept(), endNames[end.End], end.Reason
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn = nil
	t.put(end)
	if s.gone || died || provider.IsFault(o.err) {
		s.dead = true
		s.queue.Finish()
	}
}

var endNames = map[provider.End]string{
	provider.EndDone:      transcript.Done,
	provider.EndCancelled: transcript.Cancelled,
	provider.EndFailed:    transcript.Failed,
}

// judge says how a turn ended, and what the user has to be told beside that.
func (t *turn) judge(o outcome, cancelled, declined, died bool) (end provider.EndEvent, words string) {
	var ended errEnded
	switch {
	case provider.IsFault(o.err):
		return provider.Failed(o.err), ""
	case o.err != nil && (died || errors.As(o.err, &ended)), o.err != nil && !cancelled:
		err := t.s.p.cfg.rootWords(o.err)
		return provider.EndEvent{End: provider.EndFailed, Reason: foldLine(err.Error())}, ""
	case cancelled:
		return provider.EndEvent{End: provider.EndCancelled}, ""
	}
	switch o.result.StopReason {
	case string(sdk.StopReasonCancelled):
		// codex-acp ends its turn when it is told no.
		if declined {
			return provider.EndEvent{}, "(That was declined, and the agent stopped.)"
		}
		return provider.EndEvent{End: provider.EndFailed, Reason: "The agent stopped by itself."}, ""
	case string(sdk.StopReasonMaxTokens):
		return provider.EndEvent{}, "(The answer was cut: the model's limit of tokens is reached.)"
	case string(sdk.StopReasonMaxTurnRequests):
		return provider.EndEvent{}, "(The agent stopped: its limit of requests in a turn is reached.)"
	case string(sdk.StopReasonRefusal):
		return provider.EndEvent{}, "(The agent refuses to go on.)"
	}
	return provider.EndEvent{}, ""
}

// keep changes the session's record and stores it.
func (t *turn) keep(change func(*transcript.Record)) {
	t.s.p.store.Update(t.rec, change)
	t.s.p.store.Save(t.rec)
}

// push sends events of a turn that goes on; a cancelled one has no more.
func (t *turn) push(events ...provider.Event) {
	for _, ev := range events {
		if t.s.queue.Push(t.ctx, ev) != nil {
			return
		}
	}
}

// put sends events that a cancelled turn must still send. After Close there is
// nobody to read them.
func (t *turn) put(events ...provider.Event) {
	for _, ev := range events {
		_ = t.s.queue.Put(ev)
	}
}
