package acp

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/provider/acp/chattest"
	"github.com/prompt64/prompt64/appliance/provider/codex/responsestest"
)

// cacheFolder is where scripts put what the tests run.
func cacheFolder(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("XDG_CACHE_HOME"); dir != "" {
		return filepath.Join(dir, "prompt64")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(home, ".cache", "prompt64")
}

// realAgent finds an agent that scripts/setup-acp installs.
func realAgent(t *testing.T, name string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("real agents are left out of a short run")
	}
	f, err := os.Open("../../../scripts/setup-acp.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 4 || fields[0] != name {
			continue
		}
		path := filepath.Join(cacheFolder(t), "agents", name+"-"+fields[2], "node_modules", ".bin", fields[3])
		if _, err := os.Stat(path); err != nil {
			t.Skipf("THE REAL %s %s IS NOT INSTALLED, so nothing is tested with it: run scripts/setup-acp", name, fields[2])
		}
		return path
	}
	t.Fatalf("scripts/setup-acp.tsv has no %s", name)
	return ""
}

// realOpencode is the real opencode, which talks to a fake of the API.
func realOpencode(t *testing.T) *rig {
	t.Helper()
	program := realAgent(t, "opencode")
	api := chattest.New()
	t.Cleanup(api.Close)
	home := t.TempDir()
	leaks.Processes(t, "HOME="+home)
	config := fmt.Sprintf(`{"$schema":"https://opencode.ai/config.json","model":"fake/fake-model","small_model":"fake/fake-model",
		"autoupdate":false,"share":"disabled","enabled_providers":["fake"],
		"provider":{"fake":{"npm":"@ai-sdk/openai-compatible","name":"Fake on loopback","options":{"baseURL":%q,"apiKey":"none"},
		"models":{"fake-model":{"name":"Fake","limit":{"context":100000,"output":10000}}}}}}`, api.URL)
	return realRig(t, Config{
		Name: "opencode", Argv: []string{program, "acp"}, DataDir: t.TempDir(),
		Env: []string{
			"HOME=" + home, "XDG_CONFIG_HOME=" + home + "/config", "XDG_DATA_HOME=" + home + "/data",
			"XDG_STATE_HOME=" + home + "/state", "XDG_CACHE_HOME=" + home + "/cache",
			"OPENCODE_CONFIG_CONTENT=" + config, "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1",
			"OPENCODE_DISABLE_DEFAULT_PLUGINS=1", "OPENCODE_DISABLE_SHARE=1",
		},
	})
}

// realCodexACP is the real codex-acp, which talks to a fake of the API. It brings
// no sandbox: that of the installed Codex is put on its PATH.
func realCodexACP(t *testing.T) (*rig, *responsestest.Server) {
	t.Helper()
	program := realAgent(t, "codex-acp")
	found, _ := filepath.Glob(filepath.Join(cacheFolder(t), "codex-*", "node_modules", "@openai", "*", "vendor", "*", "codex-resources", "bwrap"))
	if len(found) == 0 {
		t.Skip("THE SANDBOX OF CODEX IS NOT INSTALLED, so codex-acp is not tested: run scripts/setup")
	}
	api := responsestest.New()
	t.Cleanup(api.Close)
	home := t.TempDir()
	leaks.Processes(t, "CODEX_HOME="+home)
	// A first command waits for the snapshot of the shell, longer than for itself.
	config := strings.Replace(api.Config(), "[features]\n", "[features]\nshell_snapshot = false\n", 1)
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return realRig(t, Config{
		Name: "codex-acp", Argv: []string{program}, DataDir: t.TempDir(),
		Env: append(responsestest.Env(), "CODEX_HOME="+home, "TMPDIR="+t.TempDir(),
			"PATH="+filepath.Dir(found[0])+":"+os.Getenv("PATH")),
	}), api
}

// realRig keeps the agent on loopback: whatever else it calls goes to a port on
// which nobody answers.
func realRig(t *testing.T, cfg Config) *rig {
	t.Helper()
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		cfg.Env = append(cfg.Env, name+"=http://127.0.0.1:9", strings.ToLower(name)+"=http://127.0.0.1:9")
	}
	cfg.Env = append(cfg.Env, "NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost")
	r := &rig{t: t, cfg: cfg, workspace: t.TempDir(), log: &logBuffer{}}
	r.again()
	t.Cleanup(func() { _ = r.p.Close() })
	return r
}
