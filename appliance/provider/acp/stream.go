package acp

import (
	"strings"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// update implements listener. Without a prompt that runs there is nothing to
// stream: what comes is a replay, or too late.
func (s *session) update(sessionID string, u *update) {
	s.touch()
	t := s.stream.Load()
	mine := false
	if st := s.running(); st != nil {
		mine = st.session() == sessionID
	} else {
		mine = s.replay != nil // it loads
	}
	switch {
	case !mine:
		s.p.cfg.Logger.Debug("an update of another session was left out", "kind", u.Kind)
	case t != nil:
		t.update(u)
	case s.replay != nil:
		s.replay.add(u)
	}
}

// update streams one update of the turn.
func (t *turn) update(u *update) {
	switch u.Kind {
	case "agent_message_chunk":
		t.say(chunkText(u.Content), u.MessageID)
	case "agent_thought_chunk":
		t.thought(chunkText(u.Content))
	case "tool_call", "tool_call_update":
		t.tool(&u.toolFields)
	case "plan":
		t.flushTool()
		t.push(t.plan.update(t.s, u.Entries)...)
	case "usage_update":
		t.used(u)
	case "current_mode_update":
		t.modeChanged(u.CurrentModeID)
	case "user_message_chunk", "available_commands_update", "config_option_update", "session_info_update":
	default:
		t.s.p.cfg.Logger.Debug("an update of an unknown kind was left out", "kind", u.Kind)
	}
}

// say streams a piece of the answer. What is not said, as the turn was cancelled,
// is not kept either.
func (t *turn) say(text, message string) {
	if text == "" {
		return
	}
	t.flushTool()
	text = t.talk.next(text, message)
	if t.s.queue.Push(t.ctx, provider.TextEvent{Text: text}) == nil {
		t.talk.keep(text)
	}
}

// thought streams reasoning. The protocol does not tell a summary from raw
// reasoning, so each setting but Off shows all there is.
func (t *turn) thought(text string) {
	if text == "" {
		return
	}
	t.talk.apart = true
	if t.s.p.cfg.preset.codexThoughts {
		text = t.tools.thoughts.once(text)
	}
	ev := provider.ReasoningEvent{Text: text, Raw: t.opts.Reasoning == frames.ReasoningDeveloper}
	if text == "" || !ev.Visible(t.opts.Reasoning) {
		return
	}
	t.flushTool()
	t.push(ev)
}

// used takes the size of the context. Some agents know only one of the numbers.
func (t *turn) used(u *update) {
	if u.Size != nil && *u.Size > 0 {
		t.usage.Window = *u.Size
	}
	if u.Used == nil || *u.Used <= 0 {
		return
	}
	t.usage.Used = *u.Used
	if t.usage.Window > 0 {
		t.usage.Used = min(t.usage.Used, t.usage.Window)
	}
}

// modeChanged warns of an agent that left the mode in which it asks.
func (t *turn) modeChanged(mode string) {
	if neverAsks(mode) {
		t.note("The agent no longer asks: mode "+modeName(mode), false)
	}
}

// note tells something as an activity that is over at once.
func (t *turn) note(label string, ok bool) {
	ev := provider.ActivityEvent{ID: t.s.number("note"), Lifecycle: frames.ActivityStarted, Label: label}
	over := ev
	over.Lifecycle = frames.ActivityFailed
	if ok {
		over.Lifecycle = frames.ActivityCompleted
	}
	t.flushTool()
	if t.s.queue.Push(t.ctx, ev) == nil {
		t.put(over)
	}
}

// thoughts drops what codex-acp says a second time: it streams a thought in
// pieces, and then sends it again as a whole.
type thoughts struct {
	said strings.Builder
}

// once returns a piece, or nothing if it was all said before.
func (h *thoughts) once(text string) string {
	const whole = 24 // shorter pieces are said again by chance
	if h.said.Len() == 0 {
		text = strings.TrimLeft(text, "\n")
	}
	if len(text) >= whole && strings.Contains(h.said.String(), strings.TrimSpace(text)) {
		return ""
	}
	if h.said.Len() > 256<<10 {
		h.said.Reset()
	}
	h.said.WriteString(text)
	return text
}
