package codex

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/prompt64/prompt64/appliance/provider"
)

func TestLabelsAreWhatAUserWouldSay(t *testing.T) {
	s := &session{spec: provider.Spec{Workspace: "/home/me/ws"}}
	for _, c := range []struct{ raw, want string }{
		{`{"type":"commandExecution","command":"/bin/bash -lc 'ls -la'"}`, "ls -la"},
		{`{"type":"commandExecution","command":"/bin/bash -lc \"grep 'x y' a\""}`, "grep 'x y' a"},
		{`{"type":"commandExecution","command":"cat > x <<EOF\nhello\nEOF"}`, "cat > x <<EOF ..."},
		{`{"type":"commandExecution","command":"bash -lc 'cat /home/me/ws/a.txt /home/me/ws2/b'"}`, "cat a.txt /home/me/ws2/b"},
		{`{"type":"commandExecution","command":""}`, "command execution"},
		{`{"type":"fileChange","changes":[{"path":"/home/me/ws/src/a.bas","kind":{"type":"add"}}]}`, "add src/a.bas"},
		{`{"type":"fileChange","changes":[{"path":"/etc/passwd","kind":{"type":"update"}},{"path":"b"}]}`, "edit /etc/passwd and 1 more"},
		{`{"type":"fileChange","changes":[{"path":"/home/me/ws/a","kind":{"type":"update","move_path":"/home/me/ws/b"}}]}`, "move a"},
		{`{"type":"fileChange"}`, "change files"},
		{`{"type":"mcpToolCall","server":"c64","tool":"poke"}`, "c64: poke"},
		{`{"type":"webSearch","query":""}`, "search the web"},
		{`{"type":"webSearch","query":"sid chip"}`, "search: sid chip"},
		{`{"type":"webSearch","query":"x","action":{"type":"openPage","url":"https://a/"}}`, "read https://a/"},
		{`{"type":"imageView","path":"/home/me/ws/a.png"}`, "look at a.png"},
		{`{"type":"contextCompaction"}`, "make room in the session"},
		{`{"type":"sleep","durationMs":5}`, "sleep"},
		{`{"type":"brandNewThing","path":"x"}`, "brand new thing: x"},
		{`{}`, "work"},
	} {
		if got := s.labelOf(decode[item](json.RawMessage(c.raw))); got != c.want {
			t.Errorf("%s is %q, want %q", c.raw, got, c.want)
		}
	}
}

func TestOnlyAWholeWrapperIsTakenOff(t *testing.T) {
	for command, want := range map[string]string{
		`/bin/bash -lc 'echo '"'"'hi'"'"''`: `echo 'hi'`,
		`bash -c "a \"b\" \$c \d"`:          `a "b" $c \d`,
		`/bin/bash -lc 'ls' extra`:          `/bin/bash -lc 'ls' extra`,
		`/bin/bash -x 'ls'`:                 `/bin/bash -x 'ls'`,
		`/usr/bin/env -lc ls`:               `/usr/bin/env -lc ls`,
		`/bin/bash -lc 'unfinished`:         `/bin/bash -lc 'unfinished`,
		`/bin/bash -lc "unfinished`:         `/bin/bash -lc "unfinished`,
		`/bin/bash -lc ls\`:                 `/bin/bash -lc ls\`,
		`sh -c a\ b`:                        `a b`,
		"":                                  "",
	} {
		if got := bareCommand(command); got != want {
			t.Errorf("%s is %q, want %q", command, got, want)
		}
	}
}

func TestQuotedCommandComesBackWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		command := rapid.String().Draw(t, "command")
		quoted := "/bin/bash -lc '" + strings.ReplaceAll(command, "'", `'"'"'`) + "'"
		if got := bareCommand(quoted); got != command {
			t.Fatalf("%q came back as %q", command, got)
		}
	})
}
