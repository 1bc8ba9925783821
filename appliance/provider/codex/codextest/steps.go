package codextest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// play does a step and returns the turn's status, with words if that is failed.
func (t *turn) play(st step) (status, words string) {
	switch st.verb {
	case "say":
		t.say(st.args)
	case "fill":
		n, _ := strconv.Atoi(st.args)
		t.sayPieces(pieces(Fill(n), max(997, n<<10/512))) // a long one in fewer
	case "clock":
		t.clock(st.args)
	case "think":
		t.think()
	case "run":
		return t.run(st.args), ""
	case "write":
		return t.write(st.args), ""
	case "busy":
		return t.busy(), ""
	case "fail":
		return "failed", st.args
	case "hang", "stuck":
		t.mu.Lock()
		t.deaf = st.verb == "stuck"
		t.mu.Unlock()
		t.partial("One moment ... ")
		<-t.stop
		return "interrupted", ""
	case "silent":
		t.partial("One moment ... ")
		t.s.Hush(true)
		<-t.stop
		return "interrupted", ""
	case "crash":
		t.crash()
	default:
		return t.playOdd(st)
	}
	if t.interrupted() {
		return "interrupted", ""
	}
	return "completed", ""
}

// playOdd does the steps that misbehave.
func (t *turn) playOdd(st step) (status, words string) {
	switch st.verb {
	case "plan":
		t.plan()
	case "cut":
		t.partial("This answer ")
		t.retry("Reconnecting... 1/5")
		t.say("This answer is whole.")
	case "offline":
		for !t.interrupted() {
			t.retry("Reconnecting... waiting for network")
			t.pause(time.Second)
		}
		return "interrupted", ""
	case "raw":
		t.s.Send(t.fill(st.args))
	case "ask":
		return t.askRaw(st.args), ""
	case "huge":
		n, _ := strconv.Atoi(st.args)
		id := t.newItem("call")
		t.item("started", map[string]any{"type": "commandExecution", "id": id, "command": "cat big", "status": "inProgress"})
		t.item("completed", map[string]any{"type": "commandExecution", "id": id, "command": "cat big", "status": "completed",
			"aggregatedOutput": strings.Repeat("x", n<<10)})
	default:
		t.say("There is no tag " + st.verb)
	}
	return "completed", ""
}

// fill fills in the names of the thread and of the turn.
func (t *turn) fill(text string) string {
	return strings.NewReplacer("THREAD", t.rec.ID, "TURN", t.id).Replace(text)
}

// askRaw sends a request and says what came back.
func (t *turn) askRaw(text string) string {
	var m struct {
		Method string
		Params map[string]any
	}
	if err := json.Unmarshal([]byte(t.fill(text)), &m); err != nil {
		t.say("That is no request: " + err.Error())
		return "completed"
	}
	answer := t.ask(m.Method, m.Params)
	if answer == nil {
		return "interrupted"
	}
	t.say("answered " + string(answer))
	return "completed"
}

// pause waits, or less in a turn that is interrupted.
func (t *turn) pause(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.stop:
	}
}

func (t *turn) say(text string) { t.sayPieces(strings.SplitAfter(text, " ")) }

// sayPieces says a message.
func (t *turn) sayPieces(all []string) {
	id := t.newItem("msg")
	t.item("started", map[string]any{"type": "agentMessage", "id": id, "text": ""})
	for _, piece := range all {
		if t.interrupted() {
			return // it never gets an end
		}
		t.notify("item/agentMessage/delta", map[string]any{"itemId": id, "delta": piece})
	}
	whole := map[string]any{"type": "agentMessage", "id": id, "text": strings.Join(all, "")}
	t.item("completed", whole)
	t.keep(whole)
}

// partial says a message that breaks off.
func (t *turn) partial(text string) {
	id := t.newItem("msg")
	t.item("started", map[string]any{"type": "agentMessage", "id": id, "text": ""})
	t.notify("item/agentMessage/delta", map[string]any{"itemId": id, "delta": text})
}

func (t *turn) retry(words string) {
	t.notify("error", map[string]any{"willRetry": true, "error": map[string]any{
		"message": words, "additionalDetails": "stream disconnected before completion",
		"codexErrorInfo": map[string]any{"responseStreamDisconnected": map[string]any{"httpStatusCode": nil}}}})
}

func (t *turn) think() {
	id := t.newItem("rs")
	summary := []string{"**Looking around**\n\nFirst the files.", "**Deciding**\n\nThen the answer."}
	t.item("started", map[string]any{"type": "reasoning", "id": id, "summary": []any{}, "content": []any{}})
	for i, part := range summary {
		t.notify("item/reasoning/summaryPartAdded", map[string]any{"itemId": id, "summaryIndex": i})
		for _, piece := range strings.SplitAfter(part, " ") {
			t.notify("item/reasoning/summaryTextDelta", map[string]any{"itemId": id, "delta": piece, "summaryIndex": i})
		}
	}
	t.notify("item/reasoning/textDelta", map[string]any{"itemId": id, "delta": "raw chain ", "contentIndex": 0})
	t.notify("item/reasoning/textDelta", map[string]any{"itemId": id, "delta": "of thought", "contentIndex": 0})
	t.item("completed", map[string]any{"type": "reasoning", "id": id, "summary": summary, "content": []string{"raw chain of thought"}})
	t.say("I thought about it.")
}

func (t *turn) plan() {
	update := func(first, second string) {
		t.notify("turn/plan/updated", map[string]any{"plan": []any{
			map[string]string{"step": "Look", "status": first}, map[string]string{"step": "Write", "status": second}}})
	}
	update("inProgress", "pending")
	update("completed", "inProgress")
	t.say("Planned.")
}

// crash dies: as a process with a last word, otherwise by closing the stream.
func (t *turn) crash() {
	t.partial("One moment ... ")
	t.s.log("thread 'main' panicked: out of cheese")
	if t.s.Exit != nil {
		t.s.Exit()
	}
	t.s.Drop()
	<-t.stop
}

// allowed asks for an action where the mode wants that.
func (t *turn) allowed(key, method, item string, params map[string]any) string {
	switch {
	case t.p.Approval == "never":
		return "failed"
	case t.p.Reviewer == "auto_review", t.granted[key]:
		return "completed"
	}
	params["itemId"] = item
	var answer struct{ Decision json.RawMessage }
	raw := t.ask(method, params)
	if raw == nil {
		return "interrupted"
	}
	_ = json.Unmarshal(raw, &answer)
	switch string(answer.Decision) {
	case `"accept"`:
		return "completed"
	case `"acceptForSession"`:
		t.granted[key] = true
		return "completed"
	case `"decline"`:
		return "declined"
	case `"cancel"`:
		return "interrupted"
	}
	return "failed"
}

// run runs a command.
func (t *turn) run(command string) string {
	id := t.newItem("call")
	item := map[string]any{"type": "commandExecution", "id": id, "command": "/bin/bash -lc '" + command + "'",
		"cwd": t.rec.Cwd, "status": "inProgress", "commandActions": []any{map[string]string{"type": "unknown", "command": command}}}
	t.item("started", item)
	verdict := t.allowed("command "+command, "item/commandExecution/requestApproval", id, map[string]any{
		"kind": "command", "command": item["command"], "cwd": t.rec.Cwd, "reason": "May I?",
		"proposedExecpolicyAmendment": []string{command}, "availableDecisions": []any{"accept", "cancel"}})
	if verdict == "completed" && !t.interrupted() {
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = t.rec.Cwd
		if cmd.Run() != nil {
			verdict = "failed"
		}
	}
	return t.settle(item, verdict)
}

// settle ends a tool's item and the step.
func (t *turn) settle(item map[string]any, verdict string) string {
	if verdict == "interrupted" || t.interrupted() {
		return "interrupted" // no end of the item
	}
	item["status"] = verdict
	t.item("completed", item)
	t.keep(item)
	t.say("It " + verdict + ".")
	return "completed"
}

// write adds a line to a file.
func (t *turn) write(path string) string {
	id := t.newItem("call")
	full := filepath.Join(t.rec.Cwd, path)
	item := map[string]any{"type": "fileChange", "id": id, "status": "inProgress", "changes": []any{
		map[string]any{"path": full, "kind": map[string]string{"type": "add"}, "diff": "10 PRINT\n"}}}
	t.item("started", item)
	verdict := t.allowed("file "+path, "item/fileChange/requestApproval", id, map[string]any{"reason": nil, "grantRoot": nil})
	if verdict == "completed" && !t.interrupted() {
		_ = os.MkdirAll(filepath.Dir(full), 0o700)
		if os.WriteFile(full, []byte("10 PRINT\n"), 0o600) != nil {
			verdict = "failed"
		}
	}
	return t.settle(item, verdict)
}

// busy runs a command that an interrupt does not end.
func (t *turn) busy() string {
	id := t.newItem("call")
	item := map[string]any{"type": "commandExecution", "id": id, "command": "sleep 600", "processId": "1" + id,
		"cwd": t.rec.Cwd, "status": "inProgress"}
	ended := make(chan struct{})
	t.mu.Lock()
	t.running["1"+id] = func() { close(ended) }
	t.thread.items["1"+id] = id
	t.mu.Unlock()
	t.item("started", item)
	select {
	case <-t.stop:
		t.s.turns.Go(func() {
			<-ended
			item["status"] = "failed"
			t.item("completed", item)
		})
		return "interrupted"
	case <-ended:
		return t.settle(item, "failed")
	}
}

// Fill makes a text of so many KiB, the same every time.
func Fill(kib int) string {
	var b strings.Builder
	for n := 1; b.Len() < kib<<10; n++ {
		b.WriteString("Line " + strconv.Itoa(n) + " of what was asked for. ")
	}
	return b.String()[:kib<<10]
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
