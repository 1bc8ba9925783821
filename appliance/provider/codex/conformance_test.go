package codex

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/codex/codextest"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

func TestMain(m *testing.M) {
	codextest.Main()
	leaks.Main(m)
}

// pretend makes a provider whose app-server is this test binary.
func pretend(home string) (*Provider, error) {
	return New(Config{Argv: codextest.Argv(), Env: codextest.Env(), DataDir: home})
}

func TestCodexKeepsTheRulesOfAProvider(t *testing.T) {
	providertest.Run(t, providertest.Harness{
		Setup: func(t *testing.T) providertest.World {
			data, workspace := t.TempDir(), t.TempDir()
			return providertest.World{
				New:       func() (provider.Provider, error) { return pretend(data) },
				Workspace: workspace,
				Other:     t.TempDir(),
				Effects:   func(kind frames.ApprovalKind) int { return effects(t, workspace, kind) },
			}
		},
		Prompts: providertest.Prompts{
			Plain:      "hello",
			Long:       "[[fill 512]]",
			LongText:   codextest.Fill(512),
			Think:      "[[think]]",
			Command:    "[[run echo x >> ran]]",
			File:       "[[write once.bas]]",
			Busy:       "[[busy]]",
			Fail:       "[[fail out of cheese]]",
			FailReason: "out of cheese",
			Hang:       "[[hang]]",
			Stuck:      "[[stuck]]",
			Crash:      "[[crash]]",
		},
	})
}

// effects counts what the suite's prompts did in a workspace. A file that was
// written is taken away and counted, as writing it again would not show.
func effects(t *testing.T, workspace string, kind frames.ApprovalKind) int {
	t.Helper()
	if kind == frames.KindFile {
		written := filepath.Join(workspace, "once.bas")
		counted := func() int {
			found, _ := filepath.Glob(written + ".*") // the pattern is good
			return len(found)
		}
		if _, err := os.Stat(written); err == nil {
			if err := os.Rename(written, fmt.Sprintf("%s.%d", written, counted())); err != nil {
				t.Error(err)
			}
		}
		return counted()
	}
	ran, err := os.ReadFile(filepath.Join(workspace, "ran"))
	if err != nil && !os.IsNotExist(err) {
		t.Error(err)
	}
	return strings.Count(string(ran), "x")
}
