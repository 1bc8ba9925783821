package agent

import (
	"fmt"
	"runtime"
)

// Target is the kind of machine that a program is built for, in Go's words.
type Target struct{ OS, Arch string }

// ThisMachine is the machine that runs this program. A 64-bit system is needed
// for 64-bit agents; a 32-bit bridge on one still counts as 32-bit.
func ThisMachine() Target { return Target{runtime.GOOS, runtime.GOARCH} }

// String implements fmt.Stringer.
func (t Target) String() string { return t.OS + "/" + t.Arch }

// triples are the names that Codex gives its targets.
var triples = map[Target]string{
	{"linux", "amd64"}: "x86_64-unknown-linux-musl",
	{"linux", "arm64"}: "aarch64-unknown-linux-musl",
}

// nodeArchs are the names of architectures in the npm packages.
var nodeArchs = map[string]string{"amd64": "x64", "arm64": "arm64"}

// triple returns the target's name in archives, or what to do where there is
// none.
func (t Target) triple() (string, error) {
	if name, ok := triples[t]; ok {
		return name, nil
	}
	const elsewhere = "or let Codex run on another machine: serve -codex 'ssh -T HOST codex app-server'"
	if t.OS == "linux" && t.Arch == "arm" {
		return "", fmt.Errorf("codex is not built for 32-bit ARM: use a 64-bit system, %s", elsewhere)
	}
	return "", fmt.Errorf("codex cannot be installed on %s from here: install it by its own means and name it with serve -codex PATH, %s", t, elsewhere)
}

// Available returns nil if an agent can be installed on a target, or what to do
// instead.
func Available(agent string, t Target) error {
	if agent != Codex {
		return noSuchAgent(agent)
	}
	_, err := t.triple()
	return err
}
