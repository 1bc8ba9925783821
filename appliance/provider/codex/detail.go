package codex

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// detail collects the lines of an approval's detail. Nothing is cut here: the
// user decides about all of it.
type detail []provider.DetailLine

// whole is the detail, of one line at least.
func (d detail) whole() []provider.DetailLine {
	if len(d) == 0 {
		d.metadata("Codex gives no detail.")
	}
	return d
}

// add adds the lines of a text.
func (d *detail) add(kind frames.LineKind, text string) {
	if text == "" {
		return
	}
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		*d = append(*d, provider.DetailLine{Kind: kind, Text: strings.TrimSuffix(line, "\r")})
	}
}

func (d *detail) metadata(text string) { d.add(frames.LineMetadata, text) }
func (d *detail) context(text string)  { d.add(frames.LineContext, text) }

// change adds what a patch does to a file: the whole content of one that is new
// or goes away, otherwise the hunks.
func (d *detail) change(s *session, c change) {
	head := changeVerb(c) + " " + s.relative(c.Path)
	if c.Kind.MovePath != "" {
		head += " to " + s.relative(c.Kind.MovePath)
	}
	d.metadata(head)
	switch c.Kind.Type {
	case "add":
		d.add(frames.LineAddition, c.Diff)
	case "delete":
		d.add(frames.LineDeletion, c.Diff)
	default:
		d.hunks(c.Diff)
	}
}

// hunks adds a unified diff.
func (d *detail) hunks(diff string) {
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\r\n")
		kind, text := frames.LineMetadata, line
		switch {
		case line == "":
			kind = frames.LineContext
		case line[0] == '+':
			kind, text = frames.LineAddition, line[1:]
		case line[0] == '-':
			kind, text = frames.LineDeletion, line[1:]
		case line[0] == ' ':
			kind, text = frames.LineContext, line[1:]
		}
		*d = append(*d, provider.DetailLine{Kind: kind, Text: text})
	}
}

// permissionProfile is what may be asked for beyond a mode.
type permissionProfile struct {
	Network    *struct{ Enabled *bool }
	FileSystem *struct {
		Read    []string
		Write   []string
		Entries []struct {
			Access string
			Path   json.RawMessage
		}
	}
}

// permissions adds wider permissions. What is not understood is shown raw: it
// may not be granted unseen.
func (d *detail) permissions(raw json.RawMessage) {
	if len(raw) == 0 || string(raw) == "null" || string(raw) == "{}" {
		return
	}
	var p permissionProfile
	if json.Unmarshal(raw, &p) != nil {
		d.context(indented(raw))
		return
	}
	before := len(*d)
	if p.Network != nil {
		d.context("the network")
	}
	if fs := p.FileSystem; fs != nil {
		for _, path := range fs.Read {
			d.context("read " + path)
		}
		for _, path := range fs.Write {
			d.context("write " + path)
		}
		for _, e := range fs.Entries {
			d.context(e.Access + " " + entryPath(e.Path))
		}
	}
	if len(*d) == before {
		d.context(indented(raw))
	}
}

// entryPath is the path of a permission's entry, raw if it is no plain one.
func entryPath(raw json.RawMessage) string {
	p := decode[struct{ Path, Pattern string }](raw)
	switch {
	case p.Path != "":
		return p.Path
	case p.Pattern != "":
		return p.Pattern
	}
	return string(raw)
}

// indented makes JSON readable on narrow lines.
func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", " ") != nil {
		return string(raw)
	}
	return b.String()
}
