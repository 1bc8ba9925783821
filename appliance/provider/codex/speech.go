package codex

import (
	"strings"

	"github.com/prompt64/prompt64/appliance/provider"
)

// speech makes one text of the messages of a turn. Messages are separated by a
// blank line, so that what a message begins with, a heading say, stands at the
// beginning of a line.
//
// It keeps the text since the last activity, since a retry that drops a message
// must say that text again: see provider.RetryEvent.
type speech struct {
	tail    string          // the end of all that was said: decides on the separator
	lead    string          // tail, as it was when the message at work began
	kept    strings.Builder // finished messages since the last activity
	open    string          // the message at work
	partial strings.Builder // what it said since the last activity
	cut     bool            // it said something before that
	said    map[string]bool // messages that said anything
}

// begin starts a message.
func (sp *speech) begin(item string) {
	if sp.open != item {
		sp.end()
		sp.open = item
	}
}

// piece takes a piece of a message and returns what to say for it.
func (sp *speech) piece(item, text string) string {
	sp.begin(item)
	if text == "" {
		return ""
	}
	if sp.partial.Len() == 0 && !sp.cut {
		sp.lead = sp.tail
		text = separator(sp.tail) + text
	}
	if sp.said == nil {
		sp.said = map[string]bool{}
	}
	sp.said[item] = true
	sp.partial.WriteString(text)
	sp.tail = tailOf(sp.tail + text)
	return text
}

// end closes the message at work: it will not be said again.
func (sp *speech) end() {
	sp.kept.WriteString(sp.partial.String())
	sp.open, sp.cut = "", false
	sp.partial.Reset()
}

// activity forgets what need not be said again.
func (sp *speech) activity() {
	sp.kept.Reset()
	if sp.partial.Len() > 0 {
		sp.cut = true
	}
	sp.partial.Reset()
}

// drop gives up the message at work. What is returned is to be said again; the
// message itself comes again from the server, with the same separator. A message
// that an activity cut in two stays as it is: its repetition is a new message.
func (sp *speech) drop() (again string, dropped bool) {
	if sp.partial.Len() == 0 || sp.cut {
		sp.end()
		return "", false
	}
	sp.partial.Reset()
	sp.open, sp.tail = "", sp.lead
	return sp.kept.String(), true
}

// separator is what to put between a text and a message after it.
func separator(tail string) string {
	switch {
	case tail == "", strings.HasSuffix(tail, "\n\n"):
		return ""
	case strings.HasSuffix(tail, "\n"):
		return "\n"
	}
	return "\n\n"
}

func tailOf(text string) string { return text[max(0, len(text)-2):] }

// joinMessages makes one text of whole messages, as a turn's speech would.
func joinMessages(messages []string) string {
	var sp speech
	var b strings.Builder
	for _, m := range messages {
		b.WriteString(sp.piece("m", m))
		sp.end()
	}
	return b.String()
}

// say sends a piece of the answer.
func (s *session) say(t *turn, item, text string) {
	if words := t.said.piece(item, text); words != "" {
		s.push(t, provider.TextEvent{Text: words})
	}
}

// saidAll completes a message whose pieces were lost, or that came without any.
func (s *session) saidAll(t *turn, item, text string) {
	if t.said.open == item {
		t.said.end()
		return
	}
	if text != "" && !t.said.said[item] {
		s.say(t, item, text)
		t.said.end()
	}
}
