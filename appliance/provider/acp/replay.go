package acp

import (
	"strings"
	"sync"

	"github.com/prompt64/prompt64/appliance/provider/transcript"
)

// replay collects the turns that session/load tells of. They are a transcript,
// and never text that is new.
type replay struct {
	mu    sync.Mutex
	turns []*transcript.Turn
	user  bool   // the last chunk was the user's
	block string // the message that the answer's last chunk was of
	tool  bool   // a tool or a thought came since
}

// add takes one update of the replay.
func (r *replay) add(u *update) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch u.Kind {
	case "user_message_chunk":
		text := chunkText(u.Content)
		if !r.user || len(r.turns) == 0 {
			r.turns = append(r.turns, &transcript.Turn{End: transcript.Done})
		} else if text != "" && last(r.turns).Prompt != "" {
			text = "\n" + text // prompts that got no answer stand together
		}
		last(r.turns).Prompt = grow(last(r.turns).Prompt, text)
		r.user, r.tool, r.block = true, false, ""
	case "agent_message_chunk":
		text := chunkText(u.Content)
		if text == "" {
			return
		}
		if len(r.turns) == 0 {
			r.turns = append(r.turns, &transcript.Turn{End: transcript.Done})
		}
		t := last(r.turns)
		if t.Answer != "" && (r.tool || u.MessageID != r.block) {
			text = separator(t.Answer) + text
		}
		t.Answer = grow(t.Answer, text)
		r.user, r.tool, r.block = false, false, u.MessageID
	case "tool_call", "tool_call_update", "agent_thought_chunk", "plan":
		r.user, r.tool = false, true
	}
}

// grow appends to a text until it is more than what is kept.
func grow(text, more string) string {
	if len(text) > transcript.MaxAnswer {
		return text
	}
	return text + more
}

// take hands the turns over. What agents put around a command of their own is no
// prompt of the user's.
func (r *replay) take() []*transcript.Turn {
	r.mu.Lock()
	defer r.mu.Unlock()
	var kept []*transcript.Turn
	for _, t := range r.turns {
		t.Prompt = transcript.Cut(strings.TrimSpace(dropCommands(t.Prompt)), transcript.MaxAnswer)
		t.Answer = transcript.Cut(t.Answer, transcript.MaxAnswer)
		if t.Prompt != "" || t.Answer != "" {
			kept = append(kept, t)
		}
	}
	return kept
}

// dropCommands drops the lines in which Claude's agent keeps its own commands.
func dropCommands(prompt string) string {
	if !strings.Contains(prompt, "<command-name>") && !strings.Contains(prompt, "<local-command-") {
		return prompt
	}
	var kept []string
	for line := range strings.Lines(prompt) {
		trimmed := strings.TrimSpace(line)
		if !strings.HasPrefix(trimmed, "<command-") && !strings.HasPrefix(trimmed, "<local-command-") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

func last(turns []*transcript.Turn) *transcript.Turn { return turns[len(turns)-1] }
