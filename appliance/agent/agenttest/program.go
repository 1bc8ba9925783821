package agenttest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Codex says how a program that passes for Codex behaves. The zero value of each
// field but Version is a program that works.
type Codex struct {
	Version string
	// Server is what app-server does: "die" at once with a word on standard
	// error, "refuse" the greeting, "garble" its answers, "tell" its
	// environment on standard error and die, or "linger" after its input's end.
	Server string
	// Sandbox is what the sandbox command does: "fail", or "leak" by letting
	// the command write.
	Sandbox string
}

// Program returns the contents of an executable file that behaves so. It runs
// the test's own binary, whose TestMain must call Main first.
func (c Codex) Program(t testing.TB) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return "#!" + self + "\n" + string(text) + "\n"
}

// Entries returns the members of a release archive with such a program, beneath
// a root.
func (c Codex) Entries(t testing.TB, root string) []Entry {
	return []Entry{
		{Name: root + "codex-package.json", Body: `{"version":"` + c.Version + `"}`},
		{Name: root + "bin/codex", Body: c.Program(t)},
		{Name: root + "bin/codex-code-mode-host", Body: "host of " + c.Version},
		{Name: root + "codex-resources/bwrap", Body: "bwrap of " + c.Version},
		{Name: root + "codex-resources/voice/voice-host", Body: strings.Repeat("voice", 1000)},
		{Name: root + "codex-path/rg", Body: "rg of " + c.Version},
	}
}

// Main runs the program if this process was started as one, and then does not
// return.
func Main() {
	if len(os.Args) < 3 || filepath.Base(os.Args[1]) != "codex" {
		return
	}
	text, err := os.ReadFile(os.Args[1])
	_, settings, ok := strings.Cut(string(text), "\n")
	var c Codex
	if err != nil || !ok || !strings.HasPrefix(string(text), "#!") || json.Unmarshal([]byte(settings), &c) != nil {
		return
	}
	// Not os.Exit: the race detector would wait a second in it.
	syscall.Exit(c.run(os.Args[2], os.Args[3:]))
}

func (c Codex) run(command string, args []string) int {
	switch command {
	case "app-server":
		return c.serve()
	case "sandbox":
		return c.confine(args)
	}
	fmt.Fprintf(os.Stderr, "unknown command %q\n", command)
	return 2
}

// serve answers the greeting, as far as it is meant to.
func (c Codex) serve() int {
	switch c.Server {
	case "die":
		fmt.Fprintln(os.Stderr, "error while loading shared libraries")
		return 127
	case "tell":
		fmt.Fprintln(os.Stderr, strings.Join(os.Environ(), " "))
		return 1
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var m struct {
			ID     *int   `json:"id"`
			Method string `json:"method"`
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		switch {
		case c.Server == "refuse":
			fmt.Printf(`{"id":%d,"error":{"code":-32600,"message":"not today"}}`+"\n", *m.ID)
		case c.Server == "garble":
			fmt.Println("Welcome!")
			return 0
		case m.Method == "initialize":
			// A notification may come before the answer.
			fmt.Println(`{"method":"configWarning","params":{"summary":"could not find bubblewrap"}}`)
			fmt.Printf(`{"id":%d,"result":{"userAgent":"prompt64/%s (Test 1.0; any) unknown"}}`+"\n", *m.ID, c.Version)
		}
	}
	if c.Server == "linger" {
		_, _ = io.Copy(io.Discard, os.Stdin)
		select {}
	}
	return 0
}

// confine plays a command line of the shell: one that redirects writes its file.
func (c Codex) confine(args []string) int {
	line := args[len(args)-1]
	_, file, writes := strings.Cut(line, "> ")
	switch {
	case c.Sandbox == "fail":
		fmt.Fprintln(os.Stderr, "bwrap: Creating new namespace failed: Operation not permitted")
		return 1
	case writes && c.Sandbox == "leak":
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			return 1
		}
		return 0
	case writes:
		fmt.Fprintln(os.Stderr, "Read-only file system")
		return 2
	}
	return 0
}
