package memory

import (
	"os"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider/codex/responsestest"
)

func TestBridgeAndTheCodexBesideItAreTwoProcesses(t *testing.T) {
	bridge, agent, err := besideOne(t.Context(), self(t, "codex"), "")
	if err != nil {
		t.Fatal(err)
	}
	if bridge.resident < 1024 || agent.resident < 1024 || bridge == agent {
		t.Errorf("the bridge %+v, codex %+v", bridge, agent)
	}
}

func TestBridgeWithoutACodexIsNotMeasured(t *testing.T) {
	if _, _, err := besideOne(t.Context(), self(t, "serve"), ""); err == nil {
		t.Error("the demo was taken for Codex")
	}
	if _, _, err := besideOne(t.Context(), "", ""); err == nil || !strings.Contains(err.Error(), "-bridge") {
		t.Errorf("without a program: %v", err)
	}
}

func TestProcessWithoutChildrenHasNone(t *testing.T) {
	if pid, err := childOf(os.Getpid()); err == nil {
		t.Errorf("this test has started %d", pid)
	}
}

func TestRealCodexGetsAHomeOfItsOwn(t *testing.T) {
	api := responsestest.New()
	defer api.Close()
	dir := t.TempDir()
	env, args, err := realCodex(api, "/a/codex", dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(args, " "); got != "-codex /a/codex -codex-home "+dir+"/home" {
		t.Errorf("arguments %s", got)
	}
	if !strings.Contains(strings.Join(env, " "), "HOME="+dir) {
		t.Errorf("environment %q", env)
	}
	raw, err := os.ReadFile(dir + "/home/config.toml")
	if err != nil || !strings.Contains(string(raw), api.URL) {
		t.Errorf("its settings: %s, %v", raw, err)
	}
}
