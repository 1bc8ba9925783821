package demo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unicode"
)

// answers are what a plain prompt gets, by the words in it. The first match
// wins; a prompt without one gets the default.
var answers = []struct {
	words  []string
	answer func(t *turn) string
}{
	{[]string{"help", "commands", "how", "can", "able"}, func(*turn) string { return capabilities }},
	{[]string{"hello", "hi", "hey", "moin", "hallo"}, func(*turn) string { return greeting }},
	{[]string{"files", "folder", "workspace", "list", "directory", "ls"}, (*turn).describe},
	{[]string{"thanks", "thank", "danke"}, func(*turn) string {
		return "You are welcome. I am only the **demo**, but I am glad that it works. Try `/show`."
	}},
	{[]string{"who", "what", "demo"}, func(*turn) string { return capabilities }},
}

const (
	greeting = "**Hello!** I am the demo, a small agent that works offline. " +
		"I do not understand much, but I really work in your workspace.\n\n" +
		"Try `/write hello.txt Hello from my C64` and answer the question that follows, or type `/help`."

	capabilities = "I am the **demo**: no account, no network, no intelligence. " +
		"I am here so that you can try every screen. I can:\n\n" +
		"- write a file: `/write notes.txt Remember the milk`\n" +
		"- run a command: `/run ls -l`\n" +
		"- think aloud: `/think`\n" +
		"- work through a plan: `/plan`\n" +
		"- stream: `/stream 500` or `/slow 10 300`\n\n" +
		"`/help` lists everything."
)

// talk answers a plain prompt.
func (t *turn) talk(prompt string) error {
	asked := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(prompt), func(r rune) bool {
		return !unicode.IsLetter(r)
	}) {
		asked[w] = true
	}
	for _, a := range answers {
		for _, w := range a.words {
			if asked[w] {
				return t.sayWords(a.answer(t))
			}
		}
	}
	return t.sayWords("I am the **demo**, so I cannot work on that. " +
		"A real agent would now read your files and answer.\n\n" +
		"What I can show you: `/write PATH TEXT` asks before it writes a file, " +
		"`/run ls` runs a command, `/think` reasons first. Type `/help` for the rest.")
}

// describe tells what is in the workspace.
func (t *turn) describe() string {
	const shown = 12
	var entries []os.DirEntry
	err := t.s.p.cfg.User.Do(func() (err error) {
		entries, err = os.ReadDir(t.s.spec.Workspace)
		return err
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "I cannot look: " + errFolderGone.Error() + "."
	case err != nil:
		return "I cannot read the workspace: " + plainError(err) + "."
	}
	if len(entries) == 0 {
		return "The workspace is empty. `/write hello.txt Hello` would change that."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The workspace has %d entries:\n\n", len(entries))
	for _, e := range entries[:min(shown, len(entries))] {
		fmt.Fprintf(&b, "- `%s`\n", entryName(e))
	}
	if more := len(entries) - shown; more > 0 {
		fmt.Fprintf(&b, "\nand %d more.", more)
	}
	return strings.TrimRight(b.String(), "\n")
}

func entryName(e fs.DirEntry) string {
	name := quoteArg(e.Name())
	if e.IsDir() {
		name += "/"
	}
	return name
}
