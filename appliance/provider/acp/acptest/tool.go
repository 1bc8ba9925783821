package acptest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// options are what a permission offers, in the order in which Claude, Gemini and
// Qwen have them.
var options = []object{
	{"optionId": "o-always", "name": "Always", "kind": "allow_always"},
	{"optionId": "o-once", "name": "Once", "kind": "allow_once"},
	{"optionId": "o-no", "name": "No", "kind": "reject_once"},
}

// outcome is the option of an answer; "cancelled" if it has none.
func outcome(answer json.RawMessage) string {
	var a struct {
		Outcome struct {
			Outcome  string `json:"outcome"`
			OptionID string `json:"optionId"`
		} `json:"outcome"`
	}
	_ = json.Unmarshal(answer, &a)
	if a.Outcome.OptionID != "" {
		return a.Outcome.OptionID
	}
	return a.Outcome.Outcome
}

// params are a permission's, with the session put in.
func (t *turn) params(raw string) any {
	var p object
	_ = json.Unmarshal([]byte(raw), &p)
	p["sessionId"] = t.id
	if p["options"] == nil {
		p["options"] = options
	}
	return p
}

// ask asks for permission and says what the answer was.
func (t *turn) ask(raw string) *result {
	_, answer := t.a.w.request("session/request_permission", t.params(raw))
	picked := outcome(<-answer)
	if picked == "cancelled" && t.ctx.Err() != nil {
		return cancelled
	}
	t.say(picked)
	return nil
}

// allowed asks about a tool call. An end is a cancelled turn.
func (t *turn) allowed(call object, key string) (ok bool, end *result) {
	t.mu.Lock()
	free := t.always[key] || call["kind"] == "edit" && t.mode == "acceptEdits"
	t.mu.Unlock()
	if free {
		return true, nil
	}
	_, answer := t.a.w.request("session/request_permission",
		object{"sessionId": t.id, "toolCall": call, "options": options})
	switch outcome(<-answer) {
	case "o-once":
		return true, nil
	case "o-always":
		t.mu.Lock()
		t.always[key] = true
		t.mu.Unlock()
		return true, nil
	case "o-no":
		return false, nil
	}
	return false, cancelled
}

// begin tells of a tool call.
func (t *turn) begin(kind, title string, more object) object {
	t.calls++
	call := object{"toolCallId": fmt.Sprintf("call_%d", t.calls), "title": title, "kind": kind, "status": "pending"}
	told := object{"sessionUpdate": "tool_call"}
	for k, v := range more {
		call[k] = v
	}
	for k, v := range call {
		told[k] = v
	}
	t.update(told)
	return call
}

func (t *turn) end(call object, ok bool) {
	status := "failed"
	if ok {
		status = "completed"
	}
	t.update(object{"sessionUpdate": "tool_call_update", "toolCallId": call["toolCallId"], "status": status})
}

// command runs a command line in the workspace, if it may.
func (t *turn) command(line string) *result {
	call := t.begin("execute", line, object{"rawInput": object{"command": line}})
	ok, end := t.allowed(call, "run "+line)
	if end != nil {
		return end
	}
	if ok {
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = t.cwd
		// A group of its own, as real agents give their commands.
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			ok = false
		} else {
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			select {
			case err := <-ended:
				ok = err == nil
			case <-t.ctx.Done():
				_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
				<-ended
				return cancelled
			}
		}
	}
	t.end(call, ok)
	t.say(said(ok))
	return nil
}

// write writes a file of the workspace, if it may.
func (t *turn) write(rest string) *result {
	name, content, _ := strings.Cut(rest, " ")
	path := filepath.Join(t.cwd, name)
	call := t.begin("edit", "write", object{
		"locations": []object{{"path": path}},
		"content":   []object{{"type": "diff", "path": path, "oldText": nil, "newText": content + "\n"}},
	})
	ok, end := t.allowed(call, "write")
	if end != nil {
		return end
	}
	if ok {
		ok = os.WriteFile(path, []byte(content+"\n"), 0o600) == nil
	}
	t.end(call, ok)
	t.say(said(ok))
	return nil
}

func said(ok bool) string {
	if ok {
		return "It is done."
	}
	return "I could not do that."
}
