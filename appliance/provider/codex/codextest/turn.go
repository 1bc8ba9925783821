package codextest

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"
)

// turn is one turn at work.
type turn struct {
	*thread
	id    string
	p     params
	steps []step
	stop  chan struct{} // closed by an interrupt
	once  sync.Once
	deaf  bool
	items int
	said  []any
}

// step is one tag of a prompt.
type step struct{ verb, args string }

// stepsOf reads a prompt.
func stepsOf(prompt string) []step {
	var steps []step
	rest := prompt
	for {
		_, after, ok := strings.Cut(rest, "[[")
		if !ok {
			break
		}
		tag, behind, _ := strings.Cut(after, "]]")
		rest = behind
		verb, args, _ := strings.Cut(tag, " ")
		steps = append(steps, step{verb, args})
	}
	if len(steps) == 0 {
		steps = []step{{"say", "READY. You said: " + prompt}}
	}
	return steps
}

// startTurn begins a turn. During one it steers that, as the real one does.
func (s *Server) startTurn(th *thread, p params) (any, *fault) {
	th.mu.Lock()
	defer th.mu.Unlock()
	if th.turn != nil {
		return map[string]any{"turn": map[string]any{"id": th.turn.id, "status": "inProgress"}}, nil
	}
	var prompt string
	for _, in := range p.Input {
		prompt += in.Text
	}
	t := &turn{thread: th, id: newID(), p: p, steps: stepsOf(prompt), stop: make(chan struct{})}
	th.turn = t
	if th.rec.Preview == "" {
		th.rec.Preview = prompt
	}
	t.said = []any{map[string]any{"type": "userMessage", "id": newID(), "content": []any{map[string]string{"type": "text", "text": prompt}}}}
	th.rec.Turns = append(th.rec.Turns, turnRecord{ID: t.id, Status: "inProgress", Items: t.said})
	th.rec.Order = time.Now().UnixNano()
	th.save()
	return map[string]any{"turn": map[string]any{"id": t.id, "status": "inProgress", "items": []any{}}}, nil
}

// runTurn plays the turn that startTurn began.
func (s *Server) runTurn(th *thread) {
	th.mu.Lock()
	t := th.turn
	th.mu.Unlock()
	if t == nil {
		return
	}
	s.turns.Go(func() {
		t.notify("thread/status/changed", map[string]any{"status": map[string]any{"type": "active", "activeFlags": []any{}}})
		t.notify("turn/started", map[string]any{"turn": map[string]any{"id": t.id, "status": "inProgress"}})
		status, words := "completed", ""
		for _, st := range t.steps {
			if status, words = t.play(st); status != "completed" {
				break
			}
		}
		t.end(status, words)
	})
}

// end tells the end. The turn is stored before that.
func (t *turn) end(status, words string) {
	t.notify("thread/tokenUsage/updated", map[string]any{"tokenUsage": map[string]any{
		"last": map[string]int{"totalTokens": 1260}, "modelContextWindow": 258400}})
	t.mu.Lock()
	t.turn = nil
	rec := &t.rec.Turns[len(t.rec.Turns)-1]
	rec.Status, rec.Items = status, t.said
	t.save()
	t.mu.Unlock()
	var failure any
	if status == "failed" {
		failure = map[string]any{"message": words, "codexErrorInfo": "other"}
		t.notify("error", map[string]any{"error": failure, "willRetry": false})
	}
	t.notify("thread/status/changed", map[string]any{"status": map[string]string{"type": "idle"}})
	t.notify("turn/completed", map[string]any{"turn": map[string]any{"id": t.id, "status": status, "error": failure}})
}

// notify tells something of the turn.
func (t *turn) notify(method string, params map[string]any) {
	params["threadId"] = t.rec.ID
	if !strings.HasPrefix(method, "thread/status") {
		params["turnId"] = t.id
	}
	t.s.notify(method, params)
}

func (t *turn) newItem(kind string) string {
	t.items++
	return fmt.Sprintf("%s_%d", kind, t.items)
}

func (t *turn) item(event string, item map[string]any) {
	t.notify("item/"+event, map[string]any{"item": item})
}

// keep stores an item.
func (t *turn) keep(item any) { t.said = append(t.said, item) }

// interrupted reports whether the turn was interrupted.
func (t *turn) interrupted() bool {
	select {
	case <-t.stop:
		return true
	default:
		return false
	}
}

// interruptTurn is turn/interrupt.
func (t *thread) interruptTurn(id string) *fault {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.turn == nil:
		return invalid("no active turn to interrupt")
	case t.turn.id != id:
		return invalid("expected active turn id " + id)
	case !t.turn.deaf:
		t.turn.once.Do(func() { close(t.turn.stop) })
	}
	return nil
}

// interrupt ends what runs, when the server goes.
func (t *thread) interrupt() {
	t.mu.Lock()
	if t.turn != nil {
		t.turn.once.Do(func() { close(t.turn.stop) })
	}
	t.mu.Unlock()
	t.terminate("")
}

// ask asks the client something of this turn.
func (t *turn) ask(method string, params map[string]any) json.RawMessage {
	params["threadId"], params["turnId"] = t.rec.ID, t.id
	answer := t.s.ask(method, params, t.stop)
	switch {
	case answer == nil:
		return nil
	case answer.Error != nil:
		raw, _ := json.Marshal(answer.Error) // of two plain members
		return raw
	}
	return answer.Result
}
