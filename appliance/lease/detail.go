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
// says how many more there are. A line that does not fit is cut and counts as one
// of them. Lines are shaped as they are asked for.
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
			long := len(l.text) > room*shapedBytes
			if long {
				l.text = l.text[:room*shapedBytes]
			}
			shaped := shape(l.text, s)
			if long || len(shaped) > room {
				shaped = shaped[:min(len(shaped), room)]
				room = 0
			} else {
				next++
				room -= max(len(shaped), 1) // an empty line is not free either
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

// detailIsCut says that an approval's detail is longer than what is shown. It
// errs on the side of saying so: shaping may shorten a text.
func detailIsCut(lines []provider.DetailLine) bool {
	size := 0
	for _, d := range lines {
		if size += max(len(d.Text), 1); size > frames.MaxDetail {
			return true
		}
	}
	return false
}
