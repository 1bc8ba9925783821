package lease

import (
	"unicode/utf8"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// SaidKind says what an entry of a transcript is.
type SaidKind uint8

// The kinds of entries.
const (
	SaidPrompt    SaidKind = iota // the user's prompt
	SaidText                      // a piece of the answer
	SaidReasoning                 // a piece of the reasoning, as far as the C64 is shown it
	SaidActivity                  // a tool begins or ends
	SaidApproval                  // the user is asked
	SaidDecision                  // and answers
	SaidWithdrawn                 // or the question went away by itself
	SaidEnd                       // of a turn
	SaidPlace                     // another session or workspace was chosen
	SaidMissed                    // what was said here is no longer kept
)

// Said is one entry of a transcript: what the user and the agent said, in their
// own Unicode and not in the C64's bytes. Text of a kind that streams comes in
// pieces of whole runes; those that follow each other belong together. What an
// entry has depends on its Kind.
type Said struct {
	At   uint64 // position; entries ascend
	Next uint64 // position behind it: a Watch from there goes on after it
	Kind SaidKind
	Text string // the words: a label, a question, a reason

	ID        string                // of an activity
	Lifecycle frames.Lifecycle      // of an activity
	Request   uint16                // which question an approval is, a decision is for, or was withdrawn
	About     frames.ApprovalKind   // of an approval
	Detail    []provider.DetailLine // of an approval
	Decision  frames.Decision
	End       provider.End
}

// streams says that pieces of this kind are one text.
func (k SaidKind) streams() bool { return k == SaidText || k == SaidReasoning }

// saidLog is a lease's transcript: the newest entries. Positions count the bytes of
// texts that stream and 1 for each other entry, so a reader can go on at any byte
// however the pieces were put together. The lease's goroutine owns it until it is
// closed; from then on it does not change.
type saidLog struct {
	entries []entry
	size    int
	next    uint64 // position of what comes next
	closed  bool
}

// entry is a Said whose streaming text grows in buf.
type entry struct {
	Said
	buf []byte
}

func (e *entry) weight() int {
	n := saidOverhead + len(e.Text) + len(e.ID) + len(e.buf)
	for _, d := range e.Detail {
		n += len(d.Text) + saidOverhead
	}
	return n
}

// add appends an entry that does not stream.
func (l *saidLog) add(s Said) {
	if l.closed {
		return
	}
	s.Text = cutText(s.Text, maxSaidText)
	s.At, s.Next = l.next, l.next+1
	l.next++
	l.push(entry{Said: s})
}

// stream appends a piece of text.
func (l *saidLog) stream(kind SaidKind, text string) {
	for len(text) > 0 && !l.closed {
		e := l.tail(kind)
		n := min(len(text), maxSaidPiece-len(e.buf))
		e.buf = append(e.buf, text[:n]...)
		l.size += n
		l.next += uint64(n)
		e.Next = l.next
		text = text[n:]
	}
	l.trim()
}

// tail returns the entry that a piece goes on in. A full one is left behind, with
// whole runes; the rest of its last rune moves on.
func (l *saidLog) tail(kind SaidKind) *entry {
	var rest []byte
	if n := len(l.entries); n > 0 && l.entries[n-1].Kind == kind {
		e := &l.entries[n-1]
		if len(e.buf) < maxSaidPiece {
			return e
		}
		whole := wholeRunes(e.buf)
		rest = append(rest, e.buf[whole:]...)
		e.buf = e.buf[:whole]
		e.Next = e.At + uint64(whole)
		l.size -= len(rest)
	}
	l.push(entry{Said: Said{Kind: kind, At: l.next - uint64(len(rest)), Next: l.next}, buf: rest})
	return &l.entries[len(l.entries)-1]
}

func (l *saidLog) push(e entry) {
	l.entries = append(l.entries, e)
	l.size += e.weight()
	l.trim()
}

// trim drops the oldest quarter when the bound is crossed, so that this is done
// once in a while and not at every entry; the newest always stays.
func (l *saidLog) trim() {
	if l.size <= maxSaid {
		return
	}
	n := 0
	for l.size > maxSaid*3/4 && n < len(l.entries)-1 {
		l.size -= l.entries[n].weight()
		n++
	}
	l.entries = append([]entry(nil), l.entries[n:]...)
}

// read returns entries from a position on, of about maxSaidRead bytes. The last
// rune of a text that may go on is left for later while it is not whole.
func (l *saidLog) read(from uint64) []Said {
	var out []Said
	if len(l.entries) > 0 && from < l.entries[0].At {
		out = append(out, Said{Kind: SaidMissed, At: from, Next: l.entries[0].At})
	}
	size := 0
	for i := range l.entries {
		e := &l.entries[i]
		if e.Next <= from || size >= maxSaidRead {
			continue
		}
		s := e.Said
		if s.Kind.streams() {
			buf := e.buf
			if i == len(l.entries)-1 && !l.closed {
				buf = buf[:wholeRunes(buf)]
			}
			if skip := int(max(from, s.At) - s.At); skip < len(buf) {
				s.At += uint64(skip)
				s.Next, s.Text = s.At+uint64(len(buf)-skip), string(buf[skip:])
			} else {
				continue
			}
		}
		size += e.weight()
		out = append(out, s)
	}
	return out
}

// wholeRunes is the length of b without a rune at its end that lacks bytes.
func wholeRunes(b []byte) int {
	for back := 1; back < utf8.UTFMax && back <= len(b); back++ {
		if start := len(b) - back; utf8.RuneStart(b[start]) {
			if !utf8.FullRune(b[start:]) {
				return start
			}
			break
		}
	}
	return len(b)
}

// cutText shortens a text to a bound, and says so.
func cutText(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return text[:wholeRunes([]byte(text[:limit]))] + " (cut)"
}

// cutDetail shortens an approval's detail to a bound, and says so.
func cutDetail(lines []provider.DetailLine) []provider.DetailLine {
	size := 0
	for i, line := range lines {
		if size += len(line.Text) + saidOverhead; size > maxSaidDetail {
			cut := append([]provider.DetailLine(nil), lines[:i]...)
			return append(cut, provider.DetailLine{Text: "(the rest is not kept in this transcript)"})
		}
	}
	return lines
}
