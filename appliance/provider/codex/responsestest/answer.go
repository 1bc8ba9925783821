package responsestest

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
	items int
	begun bool
}

// event sends one event of the stream.
func (a *answer) event(kind string, members map[string]any) {
	if !a.begun {
		a.begun = true
		a.w.Header().Set("Content-Type", "text/event-stream")
		a.w.WriteHeader(http.StatusOK)
		a.event("response.created", map[string]any{"response": map[string]any{"id": a.name("resp")}})
	}
	members["type"] = kind
	raw, err := json.Marshal(members)
	if err != nil {
		panic(err)
	}
	_, _ = fmt.Fprintf(a.w, "event: %s\ndata: %s\n\n", kind, raw)
	_ = http.NewResponseController(a.w).Flush()
}

// name makes a name that is unique in the fake.
func (a *answer) name(kind string) string { return fmt.Sprintf("%s_%d_%d", kind, a.id, a.items) }

// item sends an item: its beginning, what pieces sends, and its end.
func (a *answer) item(start, whole map[string]any, pieces func(id string)) {
	a.items++
	id := a.name("item")
	start["id"], whole["id"] = id, id
	a.event("response.output_item.added", map[string]any{"output_index": a.items, "item": start})
	if pieces != nil {
		pieces(id)
	}
	a.event("response.output_item.done", map[string]any{"output_index": a.items, "item": whole})
}

// partial begins a message that has no end yet.
func (a *answer) partial(text string) {
	a.items++
	id := a.name("item")
	a.event("response.output_item.added", map[string]any{"output_index": a.items, "item": map[string]any{
		"type": "message", "role": "assistant", "id": id, "content": []any{}}})
	a.delta(id, text)
}

func (a *answer) delta(id, text string) {
	a.event("response.output_text.delta", map[string]any{
		"item_id": id, "output_index": a.items, "content_index": 0, "delta": text})
}

// say sends a message.
func (a *answer) say(pieces []string) {
	text := strings.Join(pieces, "")
	a.item(map[string]any{"type": "message", "role": "assistant", "content": []any{}},
		map[string]any{"type": "message", "role": "assistant",
			"content": []any{map[string]any{"type": "output_text", "text": text, "annotations": []any{}}}},
		func(id string) {
			for _, piece := range pieces {
				a.delta(id, piece)
			}
		})
}

func words(text string) []string { return strings.SplitAfter(text, " ") }

// think sends reasoning.
func (a *answer) think() {
	parts := []string{"**Looking around**\n\nFirst the files.", "**Deciding**\n\nThen the answer."}
	raw := "raw chain of thought"
	var summary []any
	for _, part := range parts {
		summary = append(summary, map[string]any{"type": "summary_text", "text": part})
	}
	a.item(map[string]any{"type": "reasoning", "summary": []any{}},
		map[string]any{"type": "reasoning", "summary": summary,
			"content": []any{map[string]any{"type": "reasoning_text", "text": raw}}},
		func(id string) {
			for i, part := range parts {
				a.event("response.reasoning_summary_part.added", map[string]any{"item_id": id, "summary_index": i})
				for _, piece := range words(part) {
					a.event("response.reasoning_summary_text.delta", map[string]any{"item_id": id, "summary_index": i, "delta": piece})
				}
			}
			for _, piece := range words(raw) {
				a.event("response.reasoning_text.delta", map[string]any{"item_id": id, "content_index": 0, "delta": piece})
			}
		})
}

// call sends a function call; custom sends one of a tool that takes plain text.
func (a *answer) call(name string, args map[string]any) {
	raw, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	a.tool(map[string]any{"type": "function_call", "name": name, "arguments": string(raw)})
}

func (a *answer) custom(name, input string) {
	a.tool(map[string]any{"type": "custom_tool_call", "name": name, "input": input})
}

func (a *answer) tool(item map[string]any) {
	item["call_id"] = a.name("call")
	item["status"] = "completed"
	a.item(map[string]any{"type": item["type"], "name": item["name"], "call_id": item["call_id"]}, item, nil)
}

// complete ends the response.
func (a *answer) complete() {
	a.event("response.completed", map[string]any{"response": map[string]any{
		"id": a.name("resp"), "usage": map[string]any{
			"input_tokens": 1200, "input_tokens_details": map[string]int{"cached_tokens": 100},
			"output_tokens": 60, "output_tokens_details": map[string]int{"reasoning_tokens": 30},
			"total_tokens": 1260}}})
}

// hang keeps the stream open.
func (a *answer) hang() {
	select {
	case <-a.r.Context().Done():
	case <-a.s.quit:
	}
}

// cut breaks the connection off.
func (a *answer) cut() { panic(http.ErrAbortHandler) }

// refuse answers with a status in the place of a stream.
func (a *answer) refuse(status int, body map[string]any) {
	a.w.Header().Set("Content-Type", "application/json")
	a.w.WriteHeader(status)
	_ = json.NewEncoder(a.w).Encode(map[string]any{"error": body})
}

// review answers a review of Auto Review.
func (a *answer) review(req Request) {
	verdict := map[string]string{"outcome": "allow", "risk_level": "low", "user_authorization": "high", "rationale": "It is harmless."}
	if n := len(req.Input); n > 0 && strings.Contains(req.Input[n-1].text(), "forbidden") {
		verdict = map[string]string{"outcome": "deny", "risk_level": "high", "user_authorization": "low", "rationale": "It is forbidden."}
	}
	raw, err := json.Marshal(verdict)
	if err != nil {
		panic(err)
	}
	a.say([]string{string(raw)})
	a.complete()
}

// Fill makes a text of so many KiB, the same every time.
func Fill(kib int) string {
	var b strings.Builder
	for n := 1; b.Len() < kib<<10; n++ {
		b.WriteString("Line " + strconv.Itoa(n) + " of what was asked for. ")
	}
	return b.String()[:kib<<10]
}
