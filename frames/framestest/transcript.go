package framestest

import (
	"fmt"
	"strings"
)

// Kind says what an Entry is.
type Kind string

// The kinds of Entry.
const (
	User      Kind = "user"      // a prompt, as it was typed
	Assistant Kind = "assistant" // text of the answer; neighbours are joined
	Reasoning Kind = "reasoning" // text of the reasoning; neighbours are joined
	Activity  Kind = "activity"  // N is the lifecycle
	Approval  Kind = "approval"  // a request; N is its kind
	Decided   Kind = "decided"   // an ApprovalAck
	Done      Kind = "done"      // the end of a turn
	Cancelled Kind = "cancelled" // the end of a cancelled turn
	Failed    Kind = "failed"    // the end of a failed turn
	Rejected  Kind = "rejected"  // the bridge refused the prompt; Text is why
	Lost      Kind = "lost"      // the lease expired under the turn or the prompt
)

// Entry is one thing that the user saw. How text was cut into frames does not
// show, so transcripts with and without cuts are equal.
type Entry struct {
	Kind Kind
	N    uint8
	Text string
}

// Transcript is all that the user saw, oldest first.
type Transcript []Entry

// Text joins the text of one kind.
func (t Transcript) Text(k Kind) string {
	var b strings.Builder
	for _, e := range t {
		if e.Kind == k {
			b.WriteString(e.Text)
		}
	}
	return b.String()
}

// Of returns the entries of one kind.
func (t Transcript) Of(k Kind) Transcript {
	var out Transcript
	for _, e := range t {
		if e.Kind == k {
			out = append(out, e)
		}
	}
	return out
}

// Turn returns the entries from the last prompt on.
func (t Transcript) Turn() Transcript {
	for i := len(t) - 1; i >= 0; i-- {
		if t[i].Kind == User {
			return t[i:]
		}
	}
	return t
}

// String has one line for an entry.
func (t Transcript) String() string {
	var b strings.Builder
	for _, e := range t {
		fmt.Fprintf(&b, "%s %d %q\n", e.Kind, e.N, e.Text)
	}
	return b.String()
}

// add appends an entry, or joins text to the last one.
func (t *Transcript) add(k Kind, n uint8, text string) {
	if last := len(*t) - 1; last >= 0 && (*t)[last].Kind == k && (k == Assistant || k == Reasoning) {
		(*t)[last].Text += text
		return
	}
	*t = append(*t, Entry{k, n, text})
}
