package codex

import (
	"encoding/json"
	"fmt"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// item is one item of a turn: a message, a piece of reasoning, or a tool at
// work. Only the members that something here looks at are read.
type item struct {
	ID      string          `json:"id"`
	Type    string          `json:"type"`
	Status  string          `json:"status"`
	Text    string          `json:"text"`
	Summary []string        `json:"summary"`
	Content json.RawMessage `json:"content"` // of text in reasoning, of inputs in a prompt

	Command string   `json:"command"`
	Cwd     string   `json:"cwd"`
	Changes []change `json:"changes"`
	Server  string   `json:"server"`
	Tool    string   `json:"tool"`
	Query   string   `json:"query"`
	Path    string   `json:"path"`
	Name    string   `json:"name"`
	Success *bool    `json:"success"`
	Action  *struct {
		Type string `json:"type"`
		URL  string `json:"url"`
	} `json:"action"`
}

type itemEvent struct{ Item item }

// change is what a patch does to one file. The diff of a file that is added or
// deleted is its content.
type change struct {
	Path string `json:"path"`
	Kind struct {
		Type     string `json:"type"`
		MovePath string `json:"move_path"`
	} `json:"kind"`
	Diff string `json:"diff"`
}

type patchEvent struct {
	ItemID  string
	Changes []change
}

// openItem is a tool that was started.
type openItem struct {
	activity string // its ID on the channel; empty if it was not shown
	label    string
	changes  []change
	ended    bool
}

// silent are the items that are no activity.
var silent = map[string]bool{
	"userMessage": true, "hookPrompt": true, "functionCallOutput": true,
	"agentMessage": true, "plan": true, "reasoning": true,
}

// itemStarted takes the beginning of an item.
func (s *session) itemStarted(t *turn, it item) {
	switch {
	case it.Type == "agentMessage" || it.Type == "plan":
		t.said.begin(it.ID)
	case silent[it.Type] || it.ID == "":
	case t.items[it.ID] != nil:
		t.setChanges(it.ID, it.Changes)
	default:
		s.startItem(t, it)
	}
}

func (s *session) startItem(t *turn, it item) *openItem {
	o := &openItem{label: s.labelOf(it), changes: it.Changes}
	t.items[it.ID] = o
	t.order = append(t.order, it.ID)
	if it.Type == "commandExecution" {
		t.commands[it.ID] = true
	}
	o.activity = s.startActivity(t, o.label)
	return o
}

// itemCompleted takes the end of an item, which may come without a beginning.
func (s *session) itemCompleted(t *turn, it item) {
	switch {
	case it.Type == "agentMessage" || it.Type == "plan":
		s.saidAll(t, it.ID, it.Text)
		return
	case it.Type == "reasoning":
		s.reasoned(t, it)
		return
	case silent[it.Type] || it.ID == "":
		return
	}
	o := t.items[it.ID]
	if o == nil {
		o = s.startItem(t, it)
	}
	if it.Type == "webSearch" {
		o.label = s.labelOf(it) // its query is not known before
	}
	s.endItem(t, o, it.ok())
}

// ok reports whether an item did what it was for. Many kinds have no status.
func (it item) ok() bool {
	if it.Success != nil {
		return *it.Success
	}
	switch it.Status {
	case "failed", "declined":
		return false
	}
	return true
}

func (s *session) endItem(t *turn, o *openItem, ok bool) {
	if o.ended {
		return
	}
	o.ended = true
	s.endActivity(t, o.activity, o.label, ok)
}

// closeItems ends what is open at the end of a turn: an item that was
// interrupted, or cancelled with its approval, never gets an end of its own.
func (s *session) closeItems(t *turn, done bool) {
	s.endHeading(t)
	for _, id := range t.order {
		s.endItem(t, t.items[id], done)
	}
	s.closePlan(t, done)
}

// setChanges notes what a patch does now.
func (t *turn) setChanges(id string, changes []change) {
	if o := t.items[id]; o != nil && len(changes) > 0 {
		o.changes = changes
	}
}

// startActivity tells that something starts; the ID is empty if it could not be
// told, and its end must not be then.
func (s *session) startActivity(t *turn, label string) string {
	s.nextID++
	id := fmt.Sprintf("activity-%d", s.nextID)
	if !s.push(t, provider.ActivityEvent{ID: id, Lifecycle: frames.ActivityStarted, Label: label}) {
		return ""
	}
	t.said.activity()
	return id
}

// endActivity tells how that ended, in a cancelled turn too.
func (s *session) endActivity(t *turn, id, label string, ok bool) {
	if id == "" {
		return
	}
	ev := provider.ActivityEvent{ID: id, Lifecycle: frames.ActivityFailed, Label: label}
	if ok {
		ev.Lifecycle = frames.ActivityCompleted
	}
	t.said.activity()
	if !s.push(t, ev) {
		s.put(ev)
	}
}

// note tells something that takes no time.
func (s *session) note(t *turn, label string) {
	s.endActivity(t, s.startActivity(t, label), label, true)
}

func (s *session) noteFailed(t *turn, label string) {
	s.endActivity(t, s.startActivity(t, label), label, false)
}

// noteOnce tells something that the user need not read in every turn.
func (s *session) noteOnce(label string, ok bool) {
	if t := s.current(); t != nil && label != "" && !s.seen[label] {
		s.seen[label] = true
		s.endActivity(t, s.startActivity(t, label), label, ok)
	}
}
