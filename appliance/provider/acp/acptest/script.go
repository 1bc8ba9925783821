package acptest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// turn plays the script of one prompt.
type turn struct {
	*session
	ctx   context.Context
	said  strings.Builder
	calls int
}

// result is a turn's end: an error if it has words.
type result struct {
	stop  string
	words string
	data  any
}

// cancelled is the end of a turn that was cancelled.
var cancelled = &result{stop: "cancelled"}

// prompt starts a turn beside the reading of further messages.
func (a *agent) prompt(m *incoming, r *request) {
	s := a.find(r.SessionID)
	if s == nil || len(r.Prompt) == 0 {
		a.w.fail(m.ID, -32602, "Invalid params", nil)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	s.mu.Lock()
	s.stop = stop
	lost := time.Since(s.failed) < a.o.Lingers
	s.mu.Unlock()
	if lost {
		stop()
		return
	}
	script := r.Prompt[len(r.Prompt)-1].Text
	t := &turn{session: s, ctx: ctx}
	go func() {
		defer stop()
		end := t.play(script)
		a.store.add(s.id, s.cwd, script, t.said.String())
		if end.words != "" {
			s.mu.Lock()
			s.failed = time.Now()
			s.mu.Unlock()
			a.w.fail(m.ID, -32603, end.words, end.data)
			return
		}
		a.w.answer(m.ID, object{"stopReason": end.stop, "usage": object{"totalTokens": 15}})
	}()
}

// play runs a script line by line.
func (t *turn) play(script string) *result {
	for line := range strings.Lines(script) {
		verb, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		if end := t.do(verb, rest); end != nil {
			return end
		}
	}
	if t.ctx.Err() != nil {
		return cancelled
	}
	return &result{stop: "end_turn"}
}

// do runs one command. A result ends the turn.
func (t *turn) do(verb, rest string) *result {
	w := t.a.w
	switch verb {
	case "say": // say TEXT; a quoted text may hold line breaks
		t.say(unquote(rest))
	case "think":
		t.update(object{"sessionUpdate": "agent_thought_chunk", "content": text(unquote(rest))})
	case "update": // update JSON, as it is
		t.update(json.RawMessage(rest))
	case "line": // line ANYTHING, as it is
		w.raw(strings.ReplaceAll(rest, "$SESSION", t.id))
	case "long": // long BYTES
		return t.long(rest)
	case "big": // big BYTES, in one update
		n, _ := strconv.Atoi(rest)
		t.update(object{"sessionUpdate": "agent_message_chunk", "content": text(strings.Repeat("x", n))})
	case "stderr": // stderr BYTES
		n, _ := strconv.Atoi(rest)
		fmt.Fprint(os.Stderr, strings.Repeat("e", n))
	case "run": // run COMMAND, with sh
		return t.command(rest)
	case "write": // write PATH TEXT
		return t.write(rest)
	case "ask": // ask JSON: a permission's params, without the session
		return t.ask(rest)
	case "later": // as ask, but does not wait
		t.laterID, t.later = w.request("session/request_permission", t.params(rest))
	case "unask": // takes the question of "later" back
		w.send(object{"method": "$/cancel_request", "params": object{"requestId": t.laterID}})
	case "answer": // waits for the answer to "later"
		t.say(outcome(<-t.later))
	case "call": // call METHOD JSON: a request of another kind
		method, params, _ := strings.Cut(rest, " ")
		_, answer := w.request(method, json.RawMessage(params))
		t.say(string(<-answer))
	default:
		return t.misbehave(verb, rest)
	}
	return nil
}

// misbehave runs the commands that end a turn in a way of their own.
func (t *turn) misbehave(verb, rest string) *result {
	switch verb {
	case "stop": // stop REASON
		return &result{stop: rest}
	case "fail": // fail WORDS
		return &result{words: rest}
	case "faildata": // faildata JSON, beside words that say nothing
		return &result{words: "Internal error", data: json.RawMessage(rest)}
	case "hang": // until it is cancelled
		<-t.ctx.Done()
		return cancelled
	case "wait": // wait MILLISECONDS
		ms, _ := strconv.Atoi(rest)
		time.Sleep(time.Duration(ms) * time.Millisecond)
	case "stuck": // for ever
		select {}
	case "deaf": // stops to write, but lives
		_ = os.Stdout.Close()
		select {}
	case "crash":
		fmt.Fprintln(os.Stderr, "panic: out of luck")
		os.Exit(7)
	default:
		t.say("I do not know how to " + verb + ".")
	}
	return nil
}

func (t *turn) say(s string) {
	t.said.WriteString(s)
	t.update(object{"sessionUpdate": "agent_message_chunk", "content": text(s)})
}

func (t *turn) update(u any) { t.a.w.update(t.id, u) }

// long streams LongText in small pieces.
func (t *turn) long(rest string) *result {
	n, _ := strconv.Atoi(rest)
	for all := LongText(n); len(all) > 0; {
		if t.ctx.Err() != nil {
			return cancelled
		}
		piece := all[:min(len(all), 251)]
		t.say(piece)
		all = all[len(piece):]
	}
	return nil
}

// LongText is what the command "long" says: numbered lines, cut to a length.
func LongText(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "line %d of a long answer\n", i)
	}
	return b.String()[:n]
}

func unquote(s string) string {
	if plain, err := strconv.Unquote(s); err == nil {
		return plain
	}
	return s
}
