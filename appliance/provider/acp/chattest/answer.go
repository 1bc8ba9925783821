package chattest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// answer is one response.
type answer struct {
	s     *Server
	w     http.ResponseWriter
	r     *http.Request
	id    int
	begun bool
}

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

// play answers a request: the steps behind as many tools as have answered.
func (a *answer) play(prompt string, outputs []string) {
	steps := stepsOf(prompt)
	if len(steps) == 0 {
		a.say("READY. You said: " + prompt)
	}
	done := len(outputs)
	for _, st := range steps {
		tool := st.verb == "run" || st.verb == "write"
		if done > 0 {
			if tool {
				done--
			}
			continue
		}
		if !a.do(st) {
			return
		}
	}
	if n := len(outputs); n > 0 {
		a.say("The tool said: " + strings.TrimSpace(outputs[n-1]))
	}
	a.end("stop")
}

// do does one step; false if the response ends with it.
func (a *answer) do(st step) bool {
	switch st.verb {
	case "say":
		a.say(st.args)
	case "fill":
		n, _ := strconv.Atoi(st.args)
		for text := Fill(n); text != ""; {
			piece := text[:min(len(text), 997)]
			a.delta(map[string]any{"content": piece})
			text = text[len(piece):]
		}
	case "think":
		a.delta(map[string]any{"reasoning_content": "Let me think about it."})
		a.say("I thought about it.")
	case "run":
		a.call("bash", map[string]any{"command": st.args, "description": "run it"})
		return false
	case "write":
		a.call("write", map[string]any{"filePath": st.args, "content": "10 PRINT \"HELLO\"\n"})
		return false
	case "hang":
		a.say("One moment ... ")
		select {
		case <-a.r.Context().Done():
		case <-a.s.quit:
		}
		return false
	case "status":
		n, _ := strconv.Atoi(st.args)
		a.w.Header().Set("Content-Type", "application/json")
		a.w.WriteHeader(n)
		_ = json.NewEncoder(a.w).Encode(map[string]any{"error": map[string]any{"message": "The fake says " + http.StatusText(n) + "."}})
		return false
	default:
		a.say("There is no tag " + st.verb)
	}
	return true
}

// chunk sends one event of the stream.
func (a *answer) chunk(choice map[string]any, more map[string]any) {
	if !a.begun {
		a.begun = true
		a.w.Header().Set("Content-Type", "text/event-stream")
	}
	choice["index"] = 0
	body := map[string]any{"id": fmt.Sprintf("chat_%d", a.id), "object": "chat.completion.chunk",
		"created": 1, "model": "fake-model", "choices": []any{choice}}
	for k, v := range more {
		body[k] = v
	}
	raw, _ := json.Marshal(body) // strings and numbers
	_, _ = fmt.Fprintf(a.w, "data: %s\n\n", raw)
	_ = http.NewResponseController(a.w).Flush()
}

func (a *answer) delta(d map[string]any) {
	d["role"] = "assistant"
	a.chunk(map[string]any{"delta": d}, nil)
}

// say sends a message in words.
func (a *answer) say(text string) {
	for _, piece := range strings.SplitAfter(text, " ") {
		a.delta(map[string]any{"content": piece})
	}
}

// call sends a call of a tool, and ends the response.
func (a *answer) call(name string, args map[string]any) {
	raw, _ := json.Marshal(args) // strings
	a.delta(map[string]any{"tool_calls": []any{map[string]any{"index": 0, "id": fmt.Sprintf("call_%d", a.id),
		"type": "function", "function": map[string]any{"name": name, "arguments": string(raw)}}}})
	a.end("tool_calls")
}

func (a *answer) end(reason string) {
	a.chunk(map[string]any{"delta": map[string]any{}, "finish_reason": reason},
		map[string]any{"usage": map[string]int{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}})
	_, _ = fmt.Fprint(a.w, "data: [DONE]\n\n")
}
