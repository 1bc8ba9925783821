package acp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/acp/acptest"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

func TestMain(m *testing.M) {
	acptest.Main() // does not return in the agent's process
	leaks.Main(m)
}

// longBytes is more than a queue holds.
const longBytes = 600 * 1024

// noReviewer is why Auto Review is declared as lacking.
const noReviewer = "the protocol has no reviewer: commands are asked about in every mode but Read Only"

func harness(o acptest.Options) providertest.Harness {
	return providertest.Harness{
		Setup: func(t *testing.T) providertest.World {
			data, workspace := t.TempDir(), t.TempDir()
			if o.State != "" {
				o.State = t.TempDir()
			}
			argv, env, err := acptest.Command(o)
			if err != nil {
				t.Fatal(err)
			}
			return providertest.World{
				New: func() (provider.Provider, error) {
					return New(Config{Name: "scripted", Argv: argv, Env: env, DataDir: data})
				},
				Workspace: workspace,
				Other:     t.TempDir(),
				Effects:   func(kind frames.ApprovalKind) int { return effects(t, workspace, kind) },
			}
		},
		Prompts: providertest.Prompts{
			Plain:      "say Hello from the script.",
			Long:       fmt.Sprintf("long %d", longBytes),
			LongText:   acptest.LongText(longBytes),
			Think:      "think **Thinking**\nsay I thought.",
			Command:    "run echo x >> ran",
			File:       "write once x",
			Busy:       "run sleep 600",
			Fail:       "fail out of cheese",
			FailReason: "out of cheese",
			Hang:       "say Here I hang.\nhang",
			Stuck:      "say Here I am stuck.\nstuck",
			Crash:      "say I am about to crash.\ncrash",
		},
		Lacks: map[providertest.Feature]string{providertest.AutoReview: noReviewer},
	}
}

func TestACPKeepsTheRulesOfAProvider(t *testing.T) {
	for name, o := range map[string]acptest.Options{
		"an agent that keeps its sessions": {State: "yes", Modes: []string{"default", "plan", "acceptEdits"}},
		"an agent that remembers nothing":  {NoList: true, NoLoad: true, NoResume: true},
	} {
		t.Run(name, func(t *testing.T) { providertest.Run(t, harness(o)) })
	}
}

// effects counts what the suite's prompts did in a workspace. A file that was
// written is taken away and counted, as writing it again would not show.
func effects(t *testing.T, workspace string, kind frames.ApprovalKind) int {
	t.Helper()
	if kind == frames.KindFile {
		written := filepath.Join(workspace, "once")
		found, _ := filepath.Glob(written + ".*") // the pattern is good
		if _, err := os.Stat(written); err == nil {
			if err := os.Rename(written, fmt.Sprintf("%s.%d", written, len(found))); err != nil {
				t.Error(err)
			}
			return len(found) + 1
		}
		return len(found)
	}
	ran, err := os.ReadFile(filepath.Join(workspace, "ran"))
	if err != nil && !os.IsNotExist(err) {
		t.Error(err)
	}
	return strings.Count(string(ran), "x")
}
