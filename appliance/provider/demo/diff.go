package demo

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// maxCells bounds the table of the comparison; two texts that differ in more
// are shown as replaced as a whole.
const maxCells = 1 << 18

// diff is the change as an approval's detail, and how many lines it adds and
// deletes. Hunks have one line of context, as the dashboard's diffs.
func (c *change) diff() (detail []provider.DetailLine, added, deleted int) {
	meta := func(format string, args ...any) {
		detail = append(detail, provider.DetailLine{Kind: frames.LineMetadata, Text: fmt.Sprintf(format, args...)})
	}
	var old []string
	switch {
	case !c.exists:
		meta("new file %s", quoteArg(c.name))
	case len(c.old) > maxOldFile || !utf8.Valid(c.old) || bytes.IndexByte(c.old, 0) >= 0:
		meta("%s: %d bytes that are not shown are replaced", quoteArg(c.name), c.size)
	default:
		meta("%s", quoteArg(c.name))
		old = splitLines(string(c.old))
	}
	ops := compare(old, splitLines(string(c.content)))
	for _, op := range ops {
		switch op.kind {
		case frames.LineAddition:
			added++
		case frames.LineDeletion:
			deleted++
		}
	}
	if added+deleted == 0 {
		meta("nothing changes")
	}
	return append(detail, hunks(ops)...), added, deleted
}

// splitLines keeps each line's end, so that a missing last one is a difference.
func splitLines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, line)
	}
	return lines
}

// op is a line of the comparison.
type op struct {
	kind frames.LineKind
	text string
}

// compare finds a shortest way from one text to the other.
func compare(old, new []string) []op {
	var head, tail []op
	for len(old) > 0 && len(new) > 0 && old[0] == new[0] {
		head = append(head, op{frames.LineContext, old[0]})
		old, new = old[1:], new[1:]
	}
	same := 0
	for same < min(len(old), len(new)) && old[len(old)-1-same] == new[len(new)-1-same] {
		same++
	}
	for _, line := range old[len(old)-same:] {
		tail = append(tail, op{frames.LineContext, line})
	}
	old, new = old[:len(old)-same], new[:len(new)-same]
	return append(append(head, compareMiddle(old, new)...), tail...)
}

// compareMiddle walks the table of longest common subsequences; deletions come
// before additions.
func compareMiddle(old, new []string) []op {
	var ops []op
	i, j := 0, 0
	if len(old)*len(new) <= maxCells {
		common := commonTable(old, new)
		for i < len(old) && j < len(new) {
			switch {
			case old[i] == new[j]:
				ops = append(ops, op{frames.LineContext, old[i]})
				i, j = i+1, j+1
			case common[i+1][j] >= common[i][j+1]:
				ops = append(ops, op{frames.LineDeletion, old[i]})
				i++
			default:
				ops = append(ops, op{frames.LineAddition, new[j]})
				j++
			}
		}
	}
	for ; i < len(old); i++ {
		ops = append(ops, op{frames.LineDeletion, old[i]})
	}
	for ; j < len(new); j++ {
		ops = append(ops, op{frames.LineAddition, new[j]})
	}
	return ops
}

// commonTable counts at [i][j] the lines that old[i:] and new[j:] share in order.
func commonTable(old, new []string) [][]int {
	table := make([][]int, len(old)+1)
	for i := range table {
		table[i] = make([]int, len(new)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(new) - 1; j >= 0; j-- {
			if old[i] == new[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}

// hunks shows the changed lines, each group under its position, with one line
// of context around it.
func hunks(ops []op) []provider.DetailLine {
	shown := make([]bool, len(ops))
	for i, o := range ops {
		if o.kind != frames.LineContext {
			for k := max(0, i-1); k <= min(len(ops)-1, i+1); k++ {
				shown[k] = true
			}
		}
	}
	var lines []provider.DetailLine
	oldLine, newLine := 1, 1
	for i, o := range ops {
		if shown[i] {
			if i == 0 || !shown[i-1] {
				lines = append(lines, provider.DetailLine{
					Kind: frames.LineMetadata,
					Text: fmt.Sprintf("@@ -%d +%d @@", oldLine, newLine),
				})
			}
			lines = append(lines, o.detail()...)
		}
		if o.kind != frames.LineAddition {
			oldLine++
		}
		if o.kind != frames.LineDeletion {
			newLine++
		}
	}
	return lines
}

// detail is the line as it is shown; one without an end says so.
func (o op) detail() []provider.DetailLine {
	text, ended := strings.CutSuffix(o.text, "\n")
	lines := []provider.DetailLine{{Kind: o.kind, Text: text}}
	if !ended {
		lines = append(lines, provider.DetailLine{Kind: frames.LineMetadata, Text: "no newline at the end"})
	}
	return lines
}
