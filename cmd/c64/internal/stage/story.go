package stage

import (
	"strings"

	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
)

// marks stand before an activity, by its lifecycle.
const marks = "*+!"

// Story is what a C64 shows of a transcript, a paragraph for each entry. How
// words wrap is left to the C64: compare by Ink or by words.
func Story(t framestest.Transcript) string {
	var out []string
	for _, e := range t {
		switch e.Kind {
		case framestest.User:
			out = append(out, "> "+e.Text)
		case framestest.Assistant, framestest.Reasoning:
			out = append(out, visible(e.Text))
		case framestest.Activity:
			if mark := marks[e.N : e.N+1]; e.N == uint8(frames.ActivityStarted) || !ended(out, mark, e.Text) {
				out = append(out, mark+" "+visible(e.Text))
			}
		case framestest.Cancelled:
			out = append(out, "cancelled")
		case framestest.Failed:
			out = append(out, "! failed: "+visible(e.Text))
		}
	}
	return strings.Join(out, "\n")
}

// ended changes the mark of the activity that began with a label.
func ended(out []string, mark, label string) bool {
	for i, p := range out {
		if p == "* "+visible(label) {
			out[i] = mark + p[1:]
			return true
		}
	}
	return false
}

// visible makes the display-safe bytes of a frame what the C64 shows for them.
func visible(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c < 0x80 {
			b.WriteByte(c)
			continue
		}
		b.WriteRune(shown(c & 0x7f))
	}
	return b.String()
}
