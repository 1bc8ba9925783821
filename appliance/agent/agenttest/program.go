package agenttest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/prompt64/prompt64/appliance/provider/codex/codextest"
)

// Codex says how a program that passes for Codex behaves. The zero value of each
// field but Version is a program that works.
type Codex struct {
	Version string
	// Server is what app-server does: "die" at once with a word on standard
	// error, "refuse" the greeting, "garble" its answers, "tell" its
	// environment on standard error and die, or "linger" after its input's end.
	Server string
	// SignedOut wants a sign-in until its home has an auth.json.
	SignedOut bool
	// Login is how a sign-in by device code ends: well at once, or "fail" or
	// "wait" for ever.
	Login string
	// Sandbox is what the sandbox command does: "fail", or "leak" by letting
	// the command write.
	Sandbox string
}

// Program returns the contents of an executable file that behaves so. It runs
// the test's own binary, whose TestMain must call Main first.
func (c Codex) Program(t TB) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatalf("%v", err)
	}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return "#!" + self + "\n" + string(text) + "\n"
}

// Entries returns the members of a release archive with such a program, beneath
// a root.
func (c Codex) Entries(t TB, root string) []Entry {
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
	if c.Server == "refuse" || c.Server == "garble" {
		return c.misbehave()
	}
	auth := filepath.Join(os.Getenv("CODEX_HOME"), "auth.json")
	_, err := os.Stat(auth)
	wants := c.SignedOut && err != nil
	s := &codextest.Server{
		Home: os.Getenv("CODEX_HOME"), Stderr: os.Stderr, SignedOut: wants,
		Exit: func() { syscall.Exit(3) },
	}
	if err := s.Serve(os.Stdin, &output{c: c, s: s}); err != nil {
		return 1
	}
	if wants && !s.SignedOut {
		_ = os.WriteFile(auth, []byte("{}"), 0o600)
	}
	if c.Server == "linger" {
		select {}
	}
	return 0
}

// misbehave answers the first request wrongly.
func (c Codex) misbehave() int {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if c.Server == "garble" {
			fmt.Println("Welcome!")
			return 0
		}
		fmt.Println(`{"id":1,"error":{"code":-32600,"message":"not today"}}`)
	}
	return 0
}

// output is the program's standard output, with its own version, and the user's
// side of a sign-in by device code.
type output struct {
	c Codex
	s *codextest.Server
}

func (o *output) Write(line []byte) (int, error) {
	own := bytes.Replace(line, []byte("/"+codextest.Version+" "), []byte("/"+o.c.Version+" "), 1)
	if _, err := os.Stdout.Write(own); err != nil {
		return 0, err
	}
	if bytes.Contains(line, []byte(codextest.DeviceCode)) && o.c.Login != "wait" {
		reason := ""
		if o.c.Login == "fail" {
			reason = "the code has expired"
		}
		go o.s.FinishLogin(reason)
	}
	return len(line), nil
}

func (o *output) Close() error { return os.Stdout.Close() }

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
