package codex

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
)

// labelOf is what a user would call an item, in one line.
func (s *session) labelOf(it item) string {
	label := s.itemLabel(it)
	if label == "" {
		return typeWords(it.Type)
	}
	return label
}

func (s *session) itemLabel(it item) string {
	switch it.Type {
	case "commandExecution":
		return oneLine(s.shortenPaths(bareCommand(it.Command)))
	case "fileChange":
		return s.changesLabel(it.Changes)
	case "mcpToolCall":
		return oneLine(it.Server + ": " + it.Tool)
	case "dynamicToolCall", "collabAgentToolCall":
		return oneLine(it.Tool)
	case "webSearch":
		return searchLabel(it)
	case "imageView":
		return "look at " + s.relative(it.Path)
	case "contextCompaction":
		return "make room in the session"
	}
	// A kind that is not known, by what kinds usually have.
	for _, detail := range []string{it.Tool, it.Name, it.Query, it.Path} {
		if detail != "" {
			return oneLine(typeWords(it.Type) + ": " + detail)
		}
	}
	return ""
}

func searchLabel(it item) string {
	switch {
	case it.Action != nil && it.Action.URL != "":
		return oneLine("read " + it.Action.URL)
	case it.Query != "":
		return oneLine("search: " + it.Query)
	}
	return "search the web"
}

// changesLabel says what a patch does.
func (s *session) changesLabel(changes []change) string {
	if len(changes) == 0 {
		return "change files"
	}
	first := changes[0]
	label := changeVerb(first) + " " + s.relative(first.Path)
	if n := len(changes) - 1; n > 0 {
		label += fmt.Sprintf(" and %d more", n)
	}
	return oneLine(label)
}

func changeVerb(c change) string {
	switch {
	case c.Kind.Type == "add":
		return "add"
	case c.Kind.Type == "delete":
		return "delete"
	case c.Kind.MovePath != "":
		return "move"
	}
	return "edit"
}

// relative is a path as it is seen from the workspace; one outside stays whole,
// as that is what the user has to know.
func (s *session) relative(path string) string {
	for _, base := range places(s.spec.Workspace) {
		rel, err := filepath.Rel(base, path)
		if err == nil && filepath.IsAbs(path) && filepath.IsLocal(rel) {
			return rel
		}
	}
	return path
}

// shortenPaths takes the workspace's own path out of a command, where it begins
// a word. Labels only: an approval shows the command as it will run.
func (s *session) shortenPaths(command string) string {
	for _, base := range places(s.spec.Workspace) {
		for _, before := range []string{" ", "'", "\"", "="} {
			command = strings.ReplaceAll(command, before+base+"/", before)
		}
	}
	return command
}

// oneLine is the first line that has something to read, with white space folded;
// dots say that there is more.
func oneLine(text string) string {
	first := ""
	for line := range strings.Lines(text) {
		folded := strings.Join(strings.Fields(line), " ")
		switch {
		case folded == "":
		case first != "":
			return first + " ..."
		default:
			first = folded
		}
	}
	return first
}

// typeWords makes words of a type's name: webSearch is "web search".
func typeWords(name string) string {
	if name == "" {
		return "work"
	}
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
