package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/agent/agenttest"
	"github.com/prompt64/prompt64/appliance/provider/codex"
)

func TestWordsAreSplitAtSpacesOutsideQuotes(t *testing.T) {
	for text, want := range map[string][]string{
		"ssh -T host codex app-server":  {"ssh", "-T", "host", "codex", "app-server"},
		"  a\tb\nc ":                    {"a", "b", "c"},
		`'/my agents/x' "two words" ''`: {"/my agents/x", "two words", ""},
		`a"b c"d $HOME *`:               {"ab cd", "$HOME", "*"}, // no shell sees them
		`"it's"`:                        {"it's"},
		"":                              nil,
		"  ":                            nil,
		`''`:                            nil,
		"'a":                            nil,
	} {
		got, err := splitWords(text)
		if !slices.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// folderWith makes a folder with an empty program in it.
func folderWith(t *testing.T, name string) (dir, path string) {
	t.Helper()
	dir = t.TempDir()
	path = filepath.Join(dir, name)
	if err := os.WriteFile(path, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir, path
}

func TestNamedCodexIsAPathACommandOrAnAddress(t *testing.T) {
	dir, path := folderWith(t, "my codex")
	_, onPath := folderWith(t, "codex-beta")
	t.Setenv("PATH", filepath.Dir(onPath))
	for name, want := range map[string]codexProgram{
		path:                        {path: path, argv: []string{path, "app-server"}},
		"codex-beta":                {path: onPath, argv: []string{onPath, "app-server"}},
		"ssh -T h codex app-server": {argv: []string{"ssh", "-T", "h", "codex", "app-server"}, elsewhere: true},
		"ws://127.0.0.1:4500":       {url: "ws://127.0.0.1:4500"},
	} {
		got, err := findCodex(codexOptions{codex: name}, dir)
		if err != nil || got.path != want.path || got.url != want.url || got.elsewhere != want.elsewhere || !slices.Equal(got.argv, want.argv) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if remote := got.remote() != ""; remote != (want.path == "") || got.config(codexOptions{}, dir, nil, silent).Remote != remote {
			t.Errorf("%s: remote is %q", name, got.remote())
		}
	}
	if got, err := findCodex(codexOptions{codex: "nowhere"}, dir); err != nil || got.missing == "" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestInstalledCodexIsTakenBeforeTheOneOnThePath(t *testing.T) {
	_, onPath := folderWith(t, "codex")
	o := codexOn(t)
	t.Setenv("PATH", filepath.Dir(onPath))
	found := func() codexProgram {
		t.Helper()
		p, err := findCodex(codexOptions{}, o.data)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = p.close() })
		return p
	}
	if p := found(); p.path != onPath || p.used != nil {
		t.Errorf("%+v", p)
	}
	installFake(t, o.data, agenttest.Codex{Version: "1.0.0"})
	if p := found(); p.used == nil || p.used.Version != "1.0.0" || p.path != p.used.Path {
		t.Errorf("%+v", p)
	}
	receipt, err := filepath.Glob(filepath.Join(o.data, "agents/codex/versions/*/receipt.json"))
	if err != nil || len(receipt) != 1 || os.Remove(receipt[0]) != nil {
		t.Fatal(receipt, err)
	}
	if p := found(); p.used != nil || p.missing == "" {
		t.Errorf("damaged, it is %+v", p)
	}
}

// The version that the provider is tested with must be one that can be installed
// without naming a digest.
func TestTestedVersionIsAKnownOne(t *testing.T) {
	known, err := agent.Known()
	if err != nil || !slices.ContainsFunc(known, func(r agent.Release) bool { return r.Version == codex.KnownVersion }) {
		t.Errorf("%s is not among %v, %v", codex.KnownVersion, known, err)
	}
}
