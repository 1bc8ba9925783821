package responsestest

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// step is one tag of a prompt.
type step struct{ verb, args string }

func stepsOf(prompt string) []step {
	var steps []step
	for rest := prompt; ; {
		_, after, ok := strings.Cut(rest, "[[")
		if !ok {
			return steps
		}
		tag, behind, _ := strings.Cut(after, "]]")
		rest = behind
		verb, args, _ := strings.Cut(tag, " ")
		steps = append(steps, step{verb, args})
	}
}

// isTool reports a step that ends its response.
func (st step) isTool() bool {
	switch st.verb {
	case "run", "try", "write", "plan":
		return true
	}
	return false
}

// play answers a request: the steps behind as many tools as have answered.
func (a *answer) play(req Request) {
	prompt, outputs := req.prompt()
	steps := stepsOf(prompt)
	if len(steps) == 0 {
		a.say(words("READY. You said: " + prompt))
		a.complete()
		return
	}
	done := len(outputs)
	for _, st := range steps {
		if done > 0 {
			if st.isTool() {
				done--
			}
			continue
		}
		if !a.do(req, st) {
			return
		}
	}
	if n := len(outputs); n > 0 {
		a.say(words("The tool said: " + lastLine(outputs[n-1])))
	}
	a.complete()
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// do does one step; false if the response ends with it.
func (a *answer) do(req Request, st step) bool {
	switch st.verb {
	case "say":
		a.say(words(st.args))
	case "fill":
		n, _ := strconv.Atoi(st.args)
		a.say(pieces(Fill(n), 997))
	case "think":
		a.think()
		a.say(words("I thought about it."))
	case "signal":
		a.s.mu.Lock()
		f := a.s.signals[st.args]
		a.s.mu.Unlock()
		a.partial("One moment ... ")
		time.Sleep(time.Second) // the words must be out before what follows
		f()
		a.hang()
		return false
	case "hang":
		a.partial("One moment ... ")
		a.hang()
		return false
	default:
		if st.isTool() {
			a.useTool(req, st)
			a.complete()
		} else {
			a.fail(st)
		}
		return false
	}
	return true
}

// useTool calls a tool. Like a real model it asks for more than the sandbox
// where the mode lets it, and only tries where it must not ask.
func (a *answer) useTool(req Request, st step) {
	readOnly := req.mayNotAsk()
	switch st.verb {
	case "try":
		a.call("exec_command", map[string]any{"cmd": st.args})
	case "run":
		if readOnly {
			a.call("exec_command", map[string]any{"cmd": "sleep 0.5; " + st.args})
			return
		}
		// On a busy machine a shell takes more than the ten seconds for which
		// Codex waits by itself.
		a.call("exec_command", map[string]any{"cmd": st.args, "yield_time_ms": 30_000,
			"sandbox_permissions": "require_escalated", "justification": "May I?"})
	case "write":
		if readOnly {
			a.call("exec_command", map[string]any{"cmd": "sleep 0.5; mkdir -p $(dirname " + st.args + ") && echo x > " + st.args})
			return
		}
		a.custom("apply_patch", "*** Begin Patch\n*** Add File: "+st.args+"\n+10 PRINT \"HELLO\"\n+20 GOTO 10\n*** End Patch\n")
	case "plan":
		a.call("update_plan", map[string]any{"plan": []any{
			map[string]string{"step": "Look", "status": "completed"},
			map[string]string{"step": "Write", "status": "in_progress"}}})
	}
}

// mayNotAsk reports whether Codex told the model that the approval policy is
// never. The mode of the turn stands last.
func (req Request) mayNotAsk() bool {
	never, ask := -1, -1
	for i, it := range req.Input {
		text := it.text()
		if strings.Contains(text, "pproval policy is currently never") || strings.Contains(text, "`approval_policy` is `never`") {
			never = i
		}
		if strings.Contains(text, "require_escalated") || strings.Contains(text, "`approval_policy` is `on-request`") {
			ask = i
		}
	}
	return never > ask
}

// fail does the steps that go wrong.
func (a *answer) fail(st step) {
	switch st.verb {
	case "cut":
		a.partial("This answer ")
		a.cut()
	case "cutonce":
		a.s.mu.Lock()
		again := a.s.cuts[st.args]
		a.s.cuts[st.args] = true
		a.s.mu.Unlock()
		if !again {
			a.partial("This answer ")
			a.cut()
		}
		a.say(words("This answer is whole."))
		a.complete()
	case "status":
		status, _ := strconv.Atoi(st.args)
		a.refuse(status, map[string]any{"message": "The fake says " + http.StatusText(status) + "."})
	case "quota":
		a.refuse(429, map[string]any{"type": "insufficient_quota", "code": "insufficient_quota", "message": "Quota exceeded."})
	case "limit":
		a.refuse(429, map[string]any{"type": "usage_limit_reached", "message": "The limit is reached.", "plan_type": "plus",
			"resets_at": time.Now().Add(time.Hour).Unix()})
	case "failed":
		a.event("response.failed", map[string]any{"response": map[string]any{
			"id": a.name("resp"), "error": map[string]string{"code": "server_error", "message": st.args}}})
	default:
		a.say(words("There is no tag " + st.verb))
		a.complete()
	}
}

// pieces cuts a text.
func pieces(text string, size int) []string {
	var all []string
	for len(text) > size {
		all = append(all, text[:size])
		text = text[size:]
	}
	return append(all, text)
}
