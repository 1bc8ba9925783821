package workspace

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/prompt64/prompt64/frames"
)

// parseDiff turns git's patch for one row into lines. Of the headers only what
// tells something on a small screen is kept: the C64 shows the path above. Files
// of other names, which come when a folder became a file, are left out.
func parseDiff(out []byte, row Change) []Line {
	p := patch{wanted: quoted(row.Path) + " " + quoted(row.Path)}
	if row.OldPath != "" {
		p.renamed = quoted(row.OldPath) + " " + quoted(row.Path)
	}
	for len(out) > 0 {
		line, rest, _ := bytes.Cut(out, []byte{'\n'})
		p.line(strings.TrimSuffix(string(line), "\r"))
		out = rest
	}
	return p.lines
}

type patch struct {
	lines           []Line
	wanted, renamed string // what stands in the header of the row's file
	other           bool   // within a file of another name
	old, new        int    // lines of the hunk that are still to come
}

func (p *patch) add(kind frames.LineKind, text string) {
	if !p.other {
		p.lines = append(p.lines, Line{kind, text})
	}
}

// line takes one line. Inside a hunk its counts decide what a line is, so that
// content that looks like a header is not taken for one.
func (p *patch) line(s string) {
	if strings.HasPrefix(s, `\`) {
		p.add(frames.LineMetadata, "no newline at the end")
		return
	}
	if p.old > 0 || p.new > 0 {
		p.content(s)
		return
	}
	if strings.HasPrefix(s, "@@ ") {
		p.old, p.new = hunkCounts(s)
		p.add(frames.LineMetadata, s)
		return
	}
	p.header(s)
}

func (p *patch) content(s string) {
	sign, text := byte(' '), ""
	if s != "" {
		sign, text = s[0], s[1:]
	}
	switch sign {
	case '+':
		p.new--
		p.add(frames.LineAddition, text)
	case '-':
		p.old--
		p.add(frames.LineDeletion, text)
	default:
		p.old--
		p.new--
		p.add(frames.LineContext, text)
	}
}

// headers are the lines before the hunks that are shown, with their words.
var headers = []struct{ git, words string }{
	{"new file mode 120000", "new link"},
	{"new file mode", "new file"},
	{"deleted file mode", "deleted file"},
	{"old mode ", "old mode "},
	{"new mode ", "new mode "},
	{"rename from ", "renamed from "},
}

func (p *patch) header(s string) {
	if rest, ok := strings.CutPrefix(s, "diff --git "); ok {
		p.other = rest != p.wanted && rest != p.renamed
		return
	}
	if strings.HasPrefix(s, "Binary files ") {
		p.binary()
		return
	}
	for _, h := range headers {
		rest, ok := strings.CutPrefix(s, h.git)
		if !ok {
			continue
		}
		if strings.HasSuffix(h.words, " ") {
			p.add(frames.LineMetadata, h.words+rest)
		} else {
			p.add(frames.LineMetadata, h.words)
		}
		return
	}
}

// binary says in one line that there are no lines to show.
func (p *patch) binary() {
	if n := len(p.lines); n > 0 && !p.other {
		switch last := &p.lines[n-1]; *last {
		case Line{frames.LineMetadata, "new file"}, Line{frames.LineMetadata, "deleted file"}:
			last.Text = strings.TrimSuffix(last.Text, "file") + "binary file"
			return
		}
	}
	p.add(frames.LineMetadata, "binary file")
}

// hunkCounts reads the numbers of lines in "@@ -1,3 +1,4 @@".
func hunkCounts(s string) (old, new int) {
	fields := strings.Fields(s)
	if len(fields) < 3 {
		return 0, 0
	}
	return hunkCount(fields[1]), hunkCount(fields[2])
}

func hunkCount(field string) int {
	_, count, ok := strings.Cut(field, ",")
	if !ok {
		return 1
	}
	n := 0
	for _, c := range count {
		if c < '0' || c > '9' || n > 1<<28 {
			return n
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// quoted writes a path as git does in a header, with core.quotePath off.
func quoted(name string) string {
	var b strings.Builder
	special := false
	for i := range len(name) {
		c := name[i]
		at := strings.IndexByte("\a\b\t\n\v\f\r\"\\", c)
		switch {
		case at >= 0:
			b.WriteByte('\\')
			b.WriteByte(`abtnvfr"\`[at])
		case c < ' ' || c == 0x7F:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
			continue
		}
		special = true
	}
	if !special {
		return name
	}
	return `"` + b.String() + `"`
}
