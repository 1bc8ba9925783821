package codex

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/codex/codextest"
	"github.com/prompt64/prompt64/frames"
)

func TestOwnHomeReachesNowhereAndKeepsTheOwnersChanges(t *testing.T) {
	data := t.TempDir()
	if _, err := New(Config{DataDir: data}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(data, "codex", "config.toml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, off := range []string{"check_for_update_on_startup = false", "plugins = false", "apps = false", "unbounded_connection_retries = false"} {
		if !strings.Contains(string(text), off+"\n") {
			t.Errorf("its settings lack %s", off)
		}
	}
	for path, want := range map[string]os.FileMode{file: 0o600, filepath.Dir(file): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Config{DataDir: data}); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(file); string(text) != "mine" {
		t.Errorf("they were overwritten with %q", text)
	}
}

func TestOwnersHomeIsLeftAsItIs(t *testing.T) {
	home := t.TempDir()
	if _, err := New(Config{Home: home}); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(home); err != nil || len(entries) != 0 {
		t.Errorf("it has %v, %v", entries, err)
	}
	if _, err := New(Config{Home: filepath.Join(home, "missing")}); err == nil {
		t.Error("a home that is not there was accepted")
	}
}

func TestConfigThatCannotWorkIsRefused(t *testing.T) {
	for name, cfg := range map[string]Config{
		"nothing":               {},
		"both ways":             {Argv: []string{"codex"}, URL: "ws://127.0.0.1:1", DataDir: "/x"},
		"a page's address":      {URL: "http://127.0.0.1:1"},
		"a token for a command": {BearerFile: "/x", DataDir: "/x"},
	} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func TestEnvironmentHasOneHome(t *testing.T) {
	t.Setenv("CODEX_HOME", "/somebody/elses")
	var homes []string
	for _, pair := range (Config{Home: "/mine"}).environment() {
		if strings.HasPrefix(pair, "CODEX_HOME=") {
			homes = append(homes, pair)
		}
	}
	if len(homes) != 1 || homes[0] != "CODEX_HOME=/mine" {
		t.Errorf("the homes are %q", homes)
	}
}

func TestEnvironmentHoldsNothingOfTheBridgesOwn(t *testing.T) {
	t.Setenv("PROMPT64_CODE", "ABCD2345")
	for _, pair := range (Config{Home: "/mine", Env: []string{"OPENAI_X=1"}}).environment() {
		if strings.HasPrefix(pair, "PROMPT64_") {
			t.Errorf("the agent sees %s", pair)
		}
	}
}

func TestRulesThatAllowAnythingAreWarnedOf(t *testing.T) {
	for text, unsafe := range map[string]bool{
		`prefix_rule(pattern=["touch"], decision="allow")` + "\n":         true,
		"prefix_rule(\n  pattern = [\"ls\"],\n  decision = 'allow',\n)\n": true,
		`prefix_rule(pattern=["ls"])` + "\n":                              true,
		`# prefix_rule(pattern=["ls"], decision="allow")` + "\n":          false,
		`prefix_rule(pattern=["rm"], decision="forbidden")` + "\n":        false,
		`prefix_rule(pattern=["git", "push"], decision="prompt")` + "\n":  false,
		"": false,
	} {
		home := t.TempDir()
		if err := os.Mkdir(filepath.Join(home, "rules"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, "rules", "default.rules"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := len(unsafeRules(home)) == 1; got != unsafe {
			t.Errorf("%q is unsafe: %v", text, got)
		}
	}
}

func TestUnsafeRulesAreShownOnceASession(t *testing.T) {
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "rules"), 0o700); err != nil {
		t.Fatal(err)
	}
	rule := []byte(`prefix_rule(pattern=["touch"], decision="allow")` + "\n")
	if err := os.WriteFile(filepath.Join(home, "rules", "default.rules"), rule, 0o600); err != nil {
		t.Fatal(err)
	}
	st := &stage{t: t, Server: &codextest.Server{Home: home}}
	st.p = newPipeProvider(t, st.Server)
	st.s = st.open(provider.Spec{Workspace: t.TempDir()})
	if got := labels(st.play("hello"), frames.ActivityFailed); len(got) != 1 || !strings.Contains(got[0], "even in Read Only") {
		t.Errorf("it was told as %q", got)
	}
	if got := labels(st.play("hello"), frames.ActivityFailed); len(got) != 0 {
		t.Errorf("it was told again as %q", got)
	}
	if got := st.p.Warnings(); len(got) != 1 {
		t.Errorf("the warnings are %q", got)
	}
}
