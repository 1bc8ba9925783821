package acp

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// input is what agents put into rawInput, each by a name of its own.
type input struct {
	Command     json.RawMessage `json:"command"` // a line, or a list
	Cmd         json.RawMessage `json:"cmd"`
	FilePath    string          `json:"filePath"`
	FilePath2   string          `json:"file_path"`
	FilePath3   string          `json:"filepath"`
	AbsPath     string          `json:"absolute_path"`
	Path        string          `json:"path"`
	URL         string          `json:"url"`
	Cwd         string          `json:"cwd"`
	Reason      string          `json:"reason"`
	Description string          `json:"description"`
	Content     *string         `json:"content"`
	OldString   *string         `json:"old_string"`
	NewString   *string         `json:"new_string"`
}

func (c *toolCall) input() input {
	var in input
	if len(c.RawInput) > 0 {
		_ = decode(c.RawInput, &in) // what is no object has none of these
	}
	return in
}

// command is the command line that a call runs, without the shell around it;
// empty if it runs none.
func (c *toolCall) command() string {
	if line := c.given(); line != "" {
		return line
	}
	if c.ToolKind == "execute" && len(c.RawInput) == 0 {
		return c.Title // Gemini says it there and nowhere else
	}
	return ""
}

// given is the command line as the tool was given it.
func (c *toolCall) given() string {
	in := c.input()
	for _, raw := range []json.RawMessage{in.Command, in.Cmd} {
		var line string
		if json.Unmarshal(raw, &line) == nil && strings.TrimSpace(line) != "" {
			return unwrapLine(line)
		}
		var argv []string
		if json.Unmarshal(raw, &argv) == nil && len(argv) > 0 {
			return unwrapArgs(argv)
		}
	}
	return ""
}

// shells are what agents put before a command line.
var shells = []string{"bash", "sh", "zsh", "dash"}

// unwrapArgs makes a line of a list of arguments.
func unwrapArgs(argv []string) string {
	if len(argv) == 3 && slices.Contains(shells, filepath.Base(argv[0])) && (argv[1] == "-lc" || argv[1] == "-c") {
		return argv[2]
	}
	quoted := make([]string, len(argv))
	for i, arg := range argv {
		quoted[i] = quote(arg)
	}
	return strings.Join(quoted, " ")
}

// unwrapLine takes a shell away from before a line, where the rest is one quoted
// argument.
func unwrapLine(line string) string {
	fields := strings.SplitN(strings.TrimSpace(line), " ", 3)
	if len(fields) != 3 || !slices.Contains(shells, filepath.Base(fields[0])) || fields[1] != "-lc" && fields[1] != "-c" {
		return line
	}
	rest := strings.TrimSpace(fields[2])
	if len(rest) > 1 && rest[0] == '\'' && strings.IndexByte(rest[1:], '\'') == len(rest)-2 {
		return rest[1 : len(rest)-1]
	}
	return line
}

// quote shows an argument as a shell would need it.
func quote(arg string) string {
	plain := func(r rune) bool {
		return r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_./:=,+@%", r))
	}
	if arg != "" && strings.IndexFunc(arg, func(r rune) bool { return !plain(r) }) < 0 {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// paths are the files that a call is about, each once; agents name them as seen
// from the workspace, or from the root, or both.
func (c *toolCall) paths() []string {
	var list []string
	add := func(path string) {
		if path == "" {
			return
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.workspace, path)
		}
		if path = filepath.Clean(path); !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	for _, b := range blocks(c.Content) {
		if b.Type == "diff" {
			add(b.Path)
		}
	}
	for _, l := range c.Locations {
		add(l.Path)
	}
	in := c.input()
	for _, path := range []string{in.FilePath, in.FilePath2, in.FilePath3, in.AbsPath, in.Path} {
		add(path)
	}
	return list
}

// verbs are how the kinds read in a label.
var verbs = map[string]string{"edit": "Edit", "delete": "Delete", "move": "Move", "read": "Read", "search": "Search", "fetch": "Fetch"}

// label names a call in one line, as a user would.
func (c *toolCall) label() string {
	if command := c.command(); command != "" {
		return foldLine(command)
	}
	verb := verbs[c.ToolKind]
	paths := c.paths()
	switch {
	case c.ToolKind == "fetch" && c.input().URL != "":
		return foldLine("Fetch " + c.input().URL)
	case verb != "" && c.ToolKind != "search" && c.ToolKind != "fetch" && len(paths) > 0:
		names := make([]string, len(paths))
		for i, path := range paths {
			names[i] = c.relative(path)
		}
		return foldLine(verb + " " + strings.Join(names, ", "))
	}
	title := foldLine(c.shorten(c.Title))
	switch {
	case title != "":
		return title
	case verb != "":
		return verb
	}
	return "A tool"
}

// relative shows a path as seen from the workspace.
func (c *toolCall) relative(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	rel, err := filepath.Rel(c.workspace, filepath.Clean(path))
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return path
	}
	return rel
}

// shorten takes the workspace's own path out of a text.
func (c *toolCall) shorten(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, c.workspace+"/", ""), c.workspace, ".")
}

// foldLine makes one line of a text: each run of white space is a space, and what
// cannot be shown goes.
func foldLine(text string) string {
	shown := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(shown), " ")
}
