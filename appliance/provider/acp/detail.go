package acp

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// summary asks about a call in one line.
func (c *toolCall) summary() string {
	if c.command() != "" {
		return "Run " + c.label()
	}
	return c.label()
}

// detail shows everything that a decision is about: the command and where it
// runs, or the changes, or what the agent gave its tool.
func (c *toolCall) detail() []provider.DetailLine {
	var d detail
	in := c.input()
	command := c.command()
	if command != "" {
		d.add(frames.LineContext, command)
	}
	shown := command != ""
	for _, b := range blocks(c.Content) {
		switch {
		case b.Type == "diff":
			d.add(frames.LineMetadata, c.relative(b.Path))
			d.lines = append(d.lines, diffLines(b.OldText, b.NewText)...)
			shown = true
		case b.Content != nil:
			// codex-acp lists its own answers there, which are not the C64's.
			words, _, _ := strings.Cut(b.Content.text(), "\nProposed Amendment:")
			d.add(frames.LineMetadata, c.shorten(words))
		}
	}
	if !shown {
		shown = c.detailOfInput(&d, in)
	}
	for _, words := range []string{in.Reason, in.Description} {
		if !d.says(words) {
			d.add(frames.LineMetadata, c.shorten(words))
		}
	}
	if !shown && has(c.RawInput, "{}") {
		var pretty bytes.Buffer
		if json.Indent(&pretty, c.RawInput, "", "  ") == nil {
			d.add(frames.LineContext, pretty.String())
		}
	}
	if command != "" {
		folder := "in the workspace"
		if in.Cwd != "" && c.relative(in.Cwd) != "." {
			folder = "in " + c.relative(in.Cwd)
		}
		d.add(frames.LineMetadata, folder)
	}
	if len(d.lines) == 0 {
		d.add(frames.LineContext, c.label())
	}
	return d.lines
}

// detailOfInput shows the change that a tool was given, where the agent made no
// diff of it.
func (c *toolCall) detailOfInput(d *detail, in input) bool {
	paths := c.paths()
	if c.class() != changes || len(paths) == 0 {
		return false
	}
	switch {
	case in.NewString != nil:
		d.add(frames.LineMetadata, c.relative(paths[0]))
		d.lines = append(d.lines, diffLines(in.OldString, *in.NewString)...)
	case in.Content != nil:
		d.add(frames.LineMetadata, c.relative(paths[0]))
		d.lines = append(d.lines, diffLines(nil, *in.Content)...)
	default:
		return false
	}
	return true
}

// detail collects lines.
type detail struct{ lines []provider.DetailLine }

// add adds a text of one line or several; none for an empty text.
func (d *detail) add(kind frames.LineKind, text string) {
	text = strings.TrimRight(text, "\r\n")
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		d.lines = append(d.lines, provider.DetailLine{Kind: kind, Text: strings.TrimSuffix(line, "\r")})
	}
}

// says reports whether a text stands in a line already.
func (d *detail) says(text string) bool {
	for _, l := range d.lines {
		if strings.Contains(l.Text, foldLine(text)) {
			return true
		}
	}
	return false
}
