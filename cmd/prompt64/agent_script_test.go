package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/prompt64/prompt64/appliance/agent/agenttest"
)

// scriptTB lets helpers of tests serve a script.
type scriptTB struct{ *testscript.TestScript }

func (scriptTB) Helper() {}

func (s scriptTB) Cleanup(f func()) { s.Defer(f) }

// cmdAgentArchive writes an archive with a program that passes for Codex to FILE
// and sets SHA256 to its digest. Words behind the version spoil the program:
// server=..., sandbox=..., login=..., signedout.
func cmdAgentArchive(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: agentarchive FILE VERSION [WORD...]")
	}
	c := agenttest.Codex{Version: args[1]}
	for _, word := range args[2:] {
		switch word {
		case "signedout":
			c.SignedOut = true
		case "server=die":
			c.Server = "die"
		case "sandbox=fail":
			c.Sandbox = "fail"
		case "login=fail":
			c.Login = "fail"
		default:
			ts.Fatalf("no word %q", word)
		}
	}
	tb := scriptTB{ts}
	data := agenttest.Archive(tb, "tar.gz", c.Entries(tb, ""))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o644))
	ts.Setenv("SHA256", agenttest.Digest(data))
}

// cmdAgentServer serves FILE on loopback and sets URL to its address. The line
// breaks once behind each of the bytes that are named.
func cmdAgentServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: agentserver FILE [BYTE...]")
	}
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	var faults []agenttest.Fault
	for _, word := range args[1:] {
		n, err := strconv.Atoi(word)
		ts.Check(err)
		faults = append(faults, agenttest.CutAt(n))
	}
	ts.Setenv("URL", agenttest.Serve(scriptTB{ts}, data, faults...).URL)
}

// cmdBarePath leaves nothing but this program and the named folders on the PATH,
// so that no Codex of this machine is found.
func cmdBarePath(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: barepath [FOLDER...]")
	}
	path := []string{firstPath(ts)}
	for _, folder := range args {
		path = append(path, ts.MkAbs(folder))
	}
	ts.Setenv("PATH", strings.Join(path, string(filepath.ListSeparator)))
}
