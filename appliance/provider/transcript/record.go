package transcript

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// Bounds of what is stored of a session, in bytes of text. A C64 is shown the
// newest 16 KiB.
const (
	MaxAnswer  = 32 * 1024 // of one answer, or of one prompt
	MaxSession = 128 * 1024
)

// fileVersion is the version of a session's file.
const fileVersion = 1

// How a stored turn ended. A turn that runs has no end; one that is read
// without an end was cut off with the bridge.
const (
	Done      = "done"
	Cancelled = "cancelled"
	Failed    = "failed"
	CutOff    = "cut off"
)

// Turn is a prompt and what came of it. End is one of the four ends, or empty
// while the turn runs.
type Turn struct {
	Prompt string `json:"prompt"`
	Answer string `json:"answer,omitempty"`
	End    string `json:"end,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Record is a session as it is stored. The store's lock guards it: it is read in
// View and changed in Update.
type Record struct {
	Version   int       `json:"version"`
	ID        string    `json:"id"`
	Workspace string    `json:"workspace"`
	Title     string    `json:"title"`
	Agent     string    `json:"agent,omitempty"` // the session\'s ID as the agent knows it
	Order     uint64    `json:"order"`           // counts updates, so that no clock orders the list
	Updated   time.Time `json:"updated"`
	Turns     []*Turn   `json:"turns"`
}

// decodeRecord reads a session's file.
func decodeRecord(data []byte, id string) (*Record, error) {
	r := &Record{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("decode session: %w", err)
	}
	switch {
	case r.Version != fileVersion:
		return nil, fmt.Errorf("decode session: version %d is not known", r.Version)
	case r.ID != id:
		return nil, fmt.Errorf("decode session: the file of %q says %q", id, r.ID)
	case r.Workspace == "":
		return nil, errors.New("decode session: it has no workspace")
	}
	kept := r.Turns[:0]
	for _, t := range r.Turns {
		if t == nil {
			continue
		}
		if t.End == "" {
			t.End = CutOff
		}
		kept = append(kept, t)
	}
	r.Turns = kept
	return r, nil
}

// History is what the finished turns say.
func (r *Record) History() []provider.Entry {
	var entries []provider.Entry
	for _, t := range r.Turns {
		if t.End == "" {
			continue
		}
		entries = append(entries, provider.Entry{Speaker: frames.SpeakerUser, Text: t.Prompt})
		if text := t.marked(); text != "" {
			entries = append(entries, provider.Entry{Speaker: frames.SpeakerAssistant, Text: text})
		}
	}
	return entries
}

// marked is the answer with a note of how it ended, unless it was finished.
func (t *Turn) marked() string {
	if t.End == Done {
		return t.Answer
	}
	note := "(" + t.End + ")"
	if t.Reason != "" {
		note = "(" + t.End + ": " + t.Reason + ")"
	}
	if t.Answer == "" {
		return note
	}
	return t.Answer + "\n\n" + note
}

// Size is how much text the session holds.
func (r *Record) Size() int {
	n := 0
	for _, t := range r.Turns {
		n += len(t.Prompt) + len(t.Answer) + len(t.Reason)
	}
	return n
}

// trim drops the oldest turns beyond the bound; the newest always stays.
func (r *Record) trim() {
	for len(r.Turns) > 1 && r.Size() > MaxSession {
		r.Turns = r.Turns[1:]
	}
}

// Cut shortens a text to a bound, between two characters, and says so.
func Cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + fmt.Sprintf("\n\n(%d more bytes were not kept)", len(text)-cut)
}
