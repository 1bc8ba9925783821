package minutes

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// Item is one thing that was said, in words.
type Item struct {
	Next   uint64   `json:"next"` // the position behind it
	Kind   string   `json:"kind"` // one word: see kinds
	Head   string   `json:"head"` // who speaks, or what this is
	Text   string   `json:"text,omitempty"`
	Detail []Detail `json:"detail,omitempty"`
	// Streams says that items of the same kind that follow each other are pieces
	// of one text.
	Streams bool `json:"streams,omitempty"`
	// ID is an activity's. An item takes the place of the one with the same ID, unless
	// an end or another place stands between them.
	ID string `json:"id,omitempty"`
	// State is how an activity does, in one word: see states.
	State string `json:"state,omitempty"`
	// Closes says of the end of a turn that was cut short what becomes of the activities
	// that were under way.
	Closes string `json:"closes,omitempty"`
}

// Shown is the text for a page: the empty lines in front of it part it from the text
// before, and would be a gap where it stands alone.
func (it Item) Shown() string { return strings.TrimLeft(it.Text, "\n") }

// Detail is a line of what a question is about.
type Detail struct {
	Mark string `json:"mark,omitempty"` // + or -, of a change
	Text string `json:"text"`
}

// kinds are the words for the kinds of entries.
var kinds = map[lease.SaidKind]string{
	lease.SaidPrompt:    "prompt",
	lease.SaidText:      "text",
	lease.SaidReasoning: "reasoning",
	lease.SaidActivity:  "activity",
	lease.SaidApproval:  "question",
	lease.SaidDecision:  "answer",
	lease.SaidWithdrawn: "withdrawn",
	lease.SaidEnd:       "end",
	lease.SaidPlace:     "place",
	lease.SaidMissed:    "missed",
}

// states are the words for how activities do, and what people read.
var states, outcomes = []string{"open", "done", "failed"}, []string{"Under way", "Done", "Failed"}

// Items puts entries into words, one by one.
func Items(said []lease.Said) []Item {
	items := make([]Item, len(said))
	for i, s := range said {
		items[i] = item(s)
	}
	return items
}

func item(s lease.Said) Item {
	it := Item{Next: s.Next, Kind: kinds[s.Kind], Text: s.Text}
	switch s.Kind {
	case lease.SaidText, lease.SaidReasoning:
		it.Streams = true
	case lease.SaidPrompt:
	default: // labels and questions, which must not look like another one
		it.Text = clean(s.Text)
	}
	switch s.Kind {
	case lease.SaidPrompt:
		it.Head = "You"
	case lease.SaidText:
		it.Head = "Agent"
	case lease.SaidReasoning:
		it.Head = "Agent, thinking"
	case lease.SaidActivity:
		it.ID, it.State, it.Head = s.ID, word(s.Lifecycle, states...), word(s.Lifecycle, outcomes...)
	case lease.SaidApproval:
		it.Head = "The agent asks: may it " + word(s.About, "run a command", "change a file") + "?"
		it.Detail = details(s.Detail)
	case lease.SaidDecision:
		it.Head = "You answer: " + word(s.Decision, "yes, once", "yes, for this session", "no", "no, and stop")
	case lease.SaidWithdrawn:
		it.Head = "The question went away"
	case lease.SaidEnd:
		it.Head = word(s.End, "Done", "Cancelled", "Failed")
		if s.End != provider.EndDone {
			it.Closes = word(frames.ActivityFailed, outcomes...)
		}
	case lease.SaidPlace:
		it.Head, it.Text = "From here on: "+it.Text, ""
	case lease.SaidMissed:
		it.Head = "What was said here is no longer kept"
	}
	return it
}

// word picks the word for a number.
func word[N ~uint8](n N, words ...string) string {
	if int(n) < len(words) {
		return words[n]
	}
	return fmt.Sprint(uint8(n))
}

func details(lines []provider.DetailLine) []Detail {
	var out []Detail
	for _, l := range lines {
		d := Detail{Text: clean(l.Text)}
		switch l.Kind {
		case frames.LineAddition:
			d.Mark = "+"
		case frames.LineDeletion:
			d.Mark = "-"
		}
		out = append(out, d)
	}
	return out
}

// clean takes control characters out, lines and tabs aside, and those that turn
// the order of letters around.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r == '\u200e', r == '\u200f':
			return -1
		}
		return r
	}, text)
}
