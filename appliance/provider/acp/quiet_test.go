package acp

import (
	"encoding/json"
	"io"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// nowhere is an agent's input that nobody reads.
type nowhere struct{ io.Writer }

func (nowhere) Close() error { return nil }

// quietTurn is a turn whose agent was just sent the prompt; nothing comes from it. What
// of its events concerns a silence comes from next.
type quietTurn struct {
	*turn
	t      *testing.T
	answer chan outcome
	over   chan struct{}
}

func newQuietTurn(t *testing.T, silence time.Duration) *quietTurn {
	cfg := Config{Silence: silence, Logger: slog.New(slog.DiscardHandler)}
	s := newSession(&Provider{cfg: cfg}, provider.Spec{}, nil, false)
	q := &quietTurn{
		turn: newTurn(s, "x", provider.TurnOptions{}), t: t,
		answer: make(chan outcome), over: make(chan struct{}),
	}
	q.agent = &agent{cfg: &cfg, out: newOutbox(nowhere{io.Discard}, func([]byte) {})}
	s.touch()
	go func() {
		defer close(q.over)
		q.watch(q.answer)
	}()
	return q
}

// end lets the agent answer the prompt.
func (q *quietTurn) end() {
	q.answer <- outcome{}
	<-q.over
	q.agent.out.Close()
	q.s.queue.Close()
	q.s.kill()
}

// said is the next event that is there; nil if there is none.
func (q *quietTurn) said() provider.Event {
	synctest.Wait()
	select {
	case ev := <-q.s.Events():
		return ev
	default:
		return nil
	}
}

func (q *quietTurn) ask() {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	q.s.pending["q"] = &pending{id: "q", agent: q.agent, turn: q.turn, rpcID: json.RawMessage("1")}
}

func TestUserWhoThinksIsNoSilentAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQuietTurn(t, 10*time.Minute)
		defer q.end()
		for range 3 {
			time.Sleep(9 * time.Minute)
			q.ask()
			time.Sleep(time.Hour - time.Second)
			if err := q.s.Decide(t.Context(), "q", frames.AcceptOnce); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(10*time.Minute - time.Second)
		if ev := q.said(); ev != nil {
			t.Errorf("it was told of %+v", ev)
		}
	})
}

func TestSilenceIsToldOnceAndEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQuietTurn(t, 10*time.Minute)
		defer q.end()
		time.Sleep(time.Hour)
		begun, ok := q.said().(provider.ActivityEvent)
		if !ok || begun.Lifecycle != frames.ActivityStarted || begun.Label != "The agent is silent for 10 min" {
			t.Fatalf("it was told of %+v", begun)
		}
		if ev := q.said(); ev != nil {
			t.Errorf("then it was told of %+v", ev)
		}
		q.s.touch()
		time.Sleep(2 * time.Second)
		ended, ok := q.said().(provider.ActivityEvent)
		if !ok || ended.ID != begun.ID || ended.Lifecycle != frames.ActivityCompleted {
			t.Errorf("at its end it was told of %+v", ended)
		}
	})
}
