package codex

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// How much of a thread is read for its history: a C64 takes the newest 16 KiB.
const (
	historyPage  = 10 // turns a request, as their items come with them
	historyTurns = 200
	historyBytes = 256 << 10
)

// storedTurn is a turn as thread/turns/list has it.
type storedTurn struct {
	ID     string
	Status string
	Items  []item
}

// History implements provider.Session. It reads the newest turns, as far as a
// bound; what older ones said is left out.
func (s *session) History(ctx context.Context) ([]provider.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	id := s.ID()
	if id == "" {
		return nil, nil
	}
	ctx, stop := context.WithTimeout(ctx, answerPatience)
	defer stop()
	turns, err := s.readTurns(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	slices.Reverse(turns)
	var entries []provider.Entry
	for _, t := range turns {
		entries = append(entries, t.entries()...)
	}
	return entries, nil
}

// readTurns reads the newest turns, newest first, without the one that runs.
func (s *session) readTurns(ctx context.Context, id string) ([]storedTurn, error) {
	var turns []storedTurn
	size := 0
	cursor := json.RawMessage("null")
	for len(turns) < historyTurns && size < historyBytes {
		var page struct {
			Data       []storedTurn
			NextCursor json.RawMessage
		}
		err := s.srv.c.call(ctx, "thread/turns/list", map[string]any{
			"threadId": id, "limit": historyPage, "cursor": cursor, "itemsView": "full", "sortDirection": "desc",
		}, &page)
		switch {
		case err != nil && notPaged(err):
			return s.readWhole(ctx, id)
		case err != nil:
			return nil, historyError(err)
		}
		for i, t := range page.Data {
			if len(turns) == 0 && i == 0 && s.running(t) {
				continue
			}
			turns = append(turns, t)
			size += t.size()
		}
		if len(page.NextCursor) == 0 || string(page.NextCursor) == "null" || len(page.Data) == 0 {
			break
		}
		cursor = page.NextCursor
	}
	return turns, nil
}

// notPaged reports the refusal of a thread that is not kept in pages: an old
// one, or one whose first turn is being stored just now.
func notPaged(err error) bool {
	var refusal *rpcError
	return errors.As(err, &refusal) && refusal.Code == codeNoSuchMethod
}

// historyError judges a refusal. A thread whose first turn is not stored yet
// has no history, which is no fault.
func historyError(err error) error {
	switch {
	case errors.Is(err, errGone):
		return provider.ErrClosed
	case noRollout(err), strings.Contains(err.Error(), "not materialized yet"), emptyRollout(err):
		return nil
	}
	return err
}

// emptyRollout reports that Codex made a thread's file and has written nothing to it
// so far (seen in 0.171.0, when a thread is read in the moment of its first turn).
func emptyRollout(err error) bool {
	words := err.Error()
	return strings.Contains(words, "rollout at ") && strings.Contains(words, " is empty")
}

// readWhole reads a thread at once, for want of pages.
func (s *session) readWhole(ctx context.Context, id string) ([]storedTurn, error) {
	var answer struct {
		Thread struct{ Turns []storedTurn }
	}
	err := s.srv.c.call(ctx, "thread/read", map[string]any{"threadId": id, "includeTurns": true}, &answer)
	if err != nil && notPaged(err) && s.spec.SessionID == "" {
		return nil, nil // a new thread on its way to the disk
	}
	if err != nil {
		return nil, historyError(err)
	}
	turns := answer.Thread.Turns
	if n := len(turns); n > 0 && s.running(turns[n-1]) {
		turns = turns[:n-1]
	}
	turns = turns[max(0, len(turns)-historyTurns):]
	slices.Reverse(turns)
	return turns, nil
}

// running reports whether the newest turn is at work. One that a crash cut
// short may say so for ever.
func (s *session) running(t storedTurn) bool {
	return t.Status == "inProgress" && (s.current() != nil || s.foreignTurn())
}

func (t storedTurn) size() int {
	n := 0
	for _, it := range t.Items {
		n += len(it.Text) + len(it.Content)
	}
	return n
}

// entries are what was said in a turn: the prompts, and the messages as one
// text, as they were told.
func (t storedTurn) entries() []provider.Entry {
	var entries []provider.Entry
	var messages []string
	flush := func() {
		if text := joinMessages(messages); text != "" {
			entries = append(entries, provider.Entry{Speaker: frames.SpeakerAssistant, Text: text})
		}
		messages = nil
	}
	for _, it := range t.Items {
		switch it.Type {
		case "userMessage":
			flush()
			if text := it.prompt(); text != "" {
				entries = append(entries, provider.Entry{Speaker: frames.SpeakerUser, Text: text})
			}
		case "agentMessage", "plan":
			messages = append(messages, it.Text)
		}
	}
	flush()
	return entries
}

// prompt is the text of a user's message.
func (it item) prompt() string {
	var b strings.Builder
	for _, part := range decode[[]struct{ Type, Text string }](it.Content) {
		if part.Type == "text" {
			b.WriteString(part.Text)
		}
	}
	return b.String()
}
