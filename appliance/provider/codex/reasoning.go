package codex

import (
	"encoding/json"
	"strings"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// thought is the reasoning item at work. A part of a summary begins with a
// heading in bold, which is told as an activity: the one line that says what the
// agent is up to. The rest is told as it comes.
type thought struct {
	item     string
	part     int
	any      bool // reasoning was told before in this turn
	fresh    bool // the next piece begins a part
	head     strings.Builder
	inHead   bool
	summary  bool // a piece of summary came
	raw      bool // a piece of raw reasoning came
	heading  string
	activity string
}

// maxHeading is how long a heading may be before it is taken for text.
const maxHeading = 120

// thinkAt moves to an item and a part of its summary.
func (s *session) thinkAt(t *turn, item string, part int) {
	th := &t.thought
	if th.item == item && th.part == part && th.summary {
		return
	}
	if th.item != item {
		th.raw = false
	}
	s.endHeading(t)
	th.item, th.part, th.summary, th.inHead, th.fresh = item, part, true, true, true
	th.head.Reset()
}

// summaryPiece takes a piece of a summary.
func (s *session) summaryPiece(t *turn, e deltaEvent) {
	if !(provider.ReasoningEvent{}).Visible(t.opts.Reasoning) {
		return
	}
	s.thinkAt(t, e.ItemID, e.SummaryIndex)
	th := &t.thought
	if !th.inHead {
		s.think(t, e.Delta, false)
		return
	}
	th.head.WriteString(e.Delta)
	heading, rest, whole := cutHeading(th.head.String())
	if !whole {
		return
	}
	th.inHead = false
	s.tellHeading(t, heading)
	s.think(t, rest, false)
}

// cutHeading takes the heading off the beginning of a part; whole is false
// while there is too little to say.
func cutHeading(text string) (heading, rest string, whole bool) {
	trimmed := strings.TrimLeft(text, " \n")
	if len(trimmed) < 2 {
		return "", text, false
	}
	if !strings.HasPrefix(trimmed, "**") {
		return "", text, true
	}
	heading, rest, closed := strings.Cut(trimmed[2:], "**")
	switch {
	case strings.Contains(heading, "\n") || len(heading) > maxHeading:
		return "", text, true
	case !closed:
		return "", text, false
	}
	// The body begins behind the blank line, which may come later.
	body := strings.TrimLeft(rest, " \n")
	if body == "" {
		return heading, "", strings.Contains(rest, "\n\n")
	}
	return heading, body, true
}

// tellHeading starts the activity of a heading.
func (s *session) tellHeading(t *turn, heading string) {
	if heading = oneLine(heading); heading != "" {
		t.thought.heading = heading
		t.thought.activity = s.startActivity(t, heading)
	}
}

// endHeading ends it, and tells what of a heading was held back.
func (s *session) endHeading(t *turn) {
	th := &t.thought
	if th.inHead && th.head.Len() > 0 {
		th.inHead = false
		heading, rest, whole := cutHeading(th.head.String() + "\n\n")
		if !whole {
			heading, rest = "", th.head.String()
		}
		s.tellHeading(t, heading)
		s.think(t, rest, false)
	}
	s.endActivity(t, th.activity, th.heading, true)
	th.activity = ""
}

// think tells a piece, the first of a part behind a break.
func (s *session) think(t *turn, text string, raw bool) {
	ev := provider.ReasoningEvent{Text: text, Raw: raw}
	if text == "" || !ev.Visible(t.opts.Reasoning) {
		return
	}
	th := &t.thought
	if th.fresh && th.any {
		ev.Text = "\n\n" + text
	}
	th.any, th.fresh = true, false
	s.push(t, ev)
}

// rawPiece takes a piece of raw reasoning.
func (s *session) rawPiece(t *turn, e deltaEvent) {
	th := &t.thought
	if th.raw && th.item == e.ItemID {
		s.think(t, e.Delta, true)
		return
	}
	if th.item != e.ItemID {
		s.endHeading(t)
		th.item, th.summary, th.inHead = e.ItemID, false, false
	}
	th.raw, th.fresh = true, true
	s.think(t, e.Delta, true)
}

// reasoned takes the end of a reasoning item, and tells what did not come in
// pieces. A model that shows no raw reasoning shows its summary to a developer,
// who would see nothing otherwise.
func (s *session) reasoned(t *turn, it item) {
	th := &t.thought
	s.endHeading(t)
	mine := th.item == it.ID
	if t.opts.Reasoning == frames.ReasoningDeveloper {
		if mine && th.raw {
			return
		}
		raw := texts(it.Content)
		if len(raw) == 0 {
			raw = it.Summary
		}
		th.fresh = true
		s.think(t, strings.Join(raw, "\n\n"), true)
		return
	}
	if mine && th.summary {
		return
	}
	for i, part := range it.Summary {
		s.summaryPiece(t, deltaEvent{ItemID: it.ID, Delta: part, SummaryIndex: i})
	}
	s.endHeading(t)
}

// texts reads a list of strings.
func texts(raw json.RawMessage) []string { return decode[[]string](raw) }
