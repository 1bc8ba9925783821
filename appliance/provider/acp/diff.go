package acp

import (
	"strings"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// maxDiffCells bounds the table of a comparison. What is larger is shown as all
// old lines and then all new ones, which is as true and longer.
const maxDiffCells = 1 << 20

// diffContext is how many lines that stay are shown around a change.
const diffContext = 3

// diffLines compares two texts line by line. A text that is not there has no
// lines.
func diffLines(before *string, after string) []provider.DetailLine {
	var old []string
	if before != nil {
		old = splitLines(*before)
	}
	lines := compare(old, splitLines(after))
	if before != nil && *before == after {
		return []provider.DetailLine{{Kind: frames.LineMetadata, Text: "no line changes"}}
	}
	return fold(lines)
}

func splitLines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimRight(line, "\r\n"))
	}
	return lines
}

// compare finds a longest common subsequence, between the ends that are equal.
func compare(old, new []string) []provider.DetailLine {
	var head, tail []provider.DetailLine
	for len(old) > 0 && len(new) > 0 && old[0] == new[0] {
		head = append(head, provider.DetailLine{Text: old[0]})
		old, new = old[1:], new[1:]
	}
	for len(old) > 0 && len(new) > 0 && old[len(old)-1] == new[len(new)-1] {
		tail = append(tail, provider.DetailLine{Text: old[len(old)-1]})
		old, new = old[:len(old)-1], new[:len(new)-1]
	}
	lines := append(head, between(old, new)...)
	for i := len(tail) - 1; i >= 0; i-- {
		lines = append(lines, tail[i])
	}
	return lines
}

// between compares what is left in the middle.
func between(old, new []string) []provider.DetailLine {
	var lines []provider.DetailLine
	put := func(kind frames.LineKind, text string) {
		lines = append(lines, provider.DetailLine{Kind: kind, Text: text})
	}
	common := make([][]int32, len(old)+1)
	if (len(old)+1)*(len(new)+1) <= maxDiffCells {
		for i := range common {
			common[i] = make([]int32, len(new)+1)
		}
		for i := len(old) - 1; i >= 0; i-- {
			for j := len(new) - 1; j >= 0; j-- {
				if old[i] == new[j] {
					common[i][j] = common[i+1][j+1] + 1
				} else {
					common[i][j] = max(common[i+1][j], common[i][j+1])
				}
			}
		}
	} else {
		common = nil
	}
	i, j := 0, 0
	for i < len(old) || j < len(new) {
		switch {
		case common != nil && i < len(old) && j < len(new) && old[i] == new[j]:
			put(frames.LineContext, old[i])
			i, j = i+1, j+1
		case i < len(old) && (common == nil || j == len(new) || common[i+1][j] >= common[i][j+1]):
			put(frames.LineDeletion, old[i])
			i++
		default:
			put(frames.LineAddition, new[j])
			j++
		}
	}
	return lines
}

// fold leaves out lines that stay and stand far from any change.
func fold(lines []provider.DetailLine) []provider.DetailLine {
	near := make([]bool, len(lines))
	for i, l := range lines {
		if l.Kind != frames.LineContext {
			for j := max(0, i-diffContext); j <= min(len(lines)-1, i+diffContext); j++ {
				near[j] = true
			}
		}
	}
	var kept []provider.DetailLine
	for i, l := range lines {
		switch {
		case near[i]:
			kept = append(kept, l)
		case i == 0 || near[i-1]:
			kept = append(kept, provider.DetailLine{Kind: frames.LineMetadata, Text: "..."})
		}
	}
	return kept
}
