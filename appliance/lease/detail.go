package lease

import (
	"fmt"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/workspace"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/display"
)

// detailLine is a line of a diff or of an approval's detail.
type detailLine struct {
	kind frames.LineKind
	text string
}

// approvalDetail shows all that the pending approval is about.
func (l *lease) approvalDetail(request uint16) {
	p := l.line.pending
	if p == nil || p.seq != request {
		l.refuse(frames.ErrorApprovalGone)
		return
	}
	lines := func(i int) detailLine { return detailLine{p.Detail[i].Kind, p.Detail[i].Text} }
	settings := l.turn.settings
	l.later(func(r *reply) {
		r.fill(detail(len(p.Detail), lines, settings, frames.MaxDetailText, detailFrames{
			line: func(dst []byte, start bool, kind frames.LineKind, text []byte) []byte {
				return frames.ApprovalDetailLine{Start: start, Request: request, Kind: kind, Text: text}.AppendTo(dst)
			},
			done: func(dst []byte, n int) []byte {
				return frames.ApprovalDetailDone{Request: request, Lines: uint8(min(n, 255))}.AppendTo(dst)
			},
		}))
	})
}

func diffFrames(lines []workspace.Line, s Settings) producer {
	line := func(i int) detailLine { return detailLine{lines[i].Kind, lines[i].Text} }
	return detail(len(lines), line, s, frames.MaxLineText, detailFrames{
		line: func(dst []byte, start bool, kind frames.LineKind, text []byte) []byte {
			return frames.DiffLine{Start: start, Kind: kind, Text: text}.AppendTo(dst)
		},
		done: func(dst []byte, _ int) []byte { return frames.DiffDone{}.AppendTo(dst) },
	})
}

// detailFrames makes the frames of the one or the other reply.
type detailFrames struct {
	line func(dst []byte, start bool, kind frames.LineKind, text []byte) []byte
	done func(dst []byte, lines int) []byte
}

// detail produces n lines, MaxDetail bytes of text at most, then one line that
// says how many more there are. A line that does not fit is cut, which dots at its
// end show, and counts as one of them. Lines are shaped as they are asked for.
func detail(n int, line func(int) detailLine, s Settings, width int, f detailFrames) producer {
	next, sent, room := 0, 0, frames.MaxDetail
	var kind frames.LineKind
	var rest []byte
	ended := false
	return func(dst []byte) ([]byte, bool) {
		switch {
		case len(rest) > 0:
			var text []byte
			text, rest = display.Split(rest, width)
			return f.line(dst, false, kind, text), true
		case next < n && room > 0:
			l := line(next)
			shaped, left := fit(l.text, s, room)
			if room = left; left >= 0 {
				next++
			}
			sent++
			var text []byte
			kind = l.kind
			text, rest = display.Split(shaped, width)
			return f.line(dst, true, kind, text), true
		case next < n && !ended:
			more := fmt.Appendf(nil, "... %d MORE LINES", n-next)
			next = n
			sent++
			return f.line(dst, true, frames.LineMetadata, more), true
		case !ended:
			ended = true
			return f.done(dst, sent), true
		}
		return dst, false
	}
}

// fit shapes a line for the room that is left. It returns the room behind it,
// which is negative if the line had to be cut.
func fit(text string, s Settings, room int) (shaped []byte, left int) {
	long := len(text) > room*shapedBytes
	if long {
		text = text[:room*shapedBytes]
	}
	shaped = shape(text, s)
	if long || len(shaped) > room {
		return display.FitHead(shaped, room), -1
	}
	return shaped, room - max(len(shaped), 1) // an empty line is not free either
}

// detailIsCut says that an approval's detail is longer than what is shown.
func detailIsCut(lines []provider.DetailLine, s Settings) bool {
	room := frames.MaxDetail
	for _, d := range lines {
		if room <= 0 {
			return true
		}
		if _, room = fit(d.Text, s, room); room < 0 {
			return true
		}
	}
	return false
}
