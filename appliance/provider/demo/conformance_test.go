package demo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// longKiB is more than a queue holds.
const longKiB = 512

// bigText is what /big says.
func bigText(kib int) string {
	var b strings.Builder
	for p := (&prose{}); b.Len() < kib*1024; {
		b.WriteString(p.next())
	}
	return b.String()[:kib*1024]
}

func TestDemoKeepsTheRulesOfAProvider(t *testing.T) {
	providertest.Run(t, providertest.Harness{
		Setup: func(t *testing.T) providertest.World {
			data, workspace := t.TempDir(), t.TempDir()
			return providertest.World{
				New:       func() (provider.Provider, error) { return New(Config{DataDir: data}) },
				Workspace: workspace,
				Other:     t.TempDir(),
				Effects: func(kind frames.ApprovalKind) int {
					return effects(t, workspace, kind)
				},
			}
		},
		Prompts: providertest.Prompts{
			Plain:    "hello",
			Long:     "/big 512",
			LongText: bigText(longKiB),
			Think:    "/think",
			Command:  `/run sh -c "echo x >> ran"`,
			// The file that is written becomes a count: see effects.
			File:       "/write written/once x",
			Busy:       "/run sleep 600",
			Fail:       "/fail out of cheese",
			FailReason: "out of cheese",
			Hang:       "/hang",
			Stuck:      "/stuck",
			Crash:      "/crash",
		},
	})
}

// effects counts what the suite's prompts did in a workspace. A file that was
// written is taken away and counted, as writing it again would not show.
func effects(t *testing.T, workspace string, kind frames.ApprovalKind) int {
	t.Helper()
	if kind == frames.KindFile {
		written := filepath.Join(workspace, "written", "once")
		if _, err := os.Stat(written); err == nil {
			if err := os.Rename(written, fmt.Sprintf("%s.%d", written, len(countedFiles(written)))); err != nil {
				t.Error(err)
			}
		}
		return len(countedFiles(written))
	}
	ran, err := os.ReadFile(filepath.Join(workspace, "ran"))
	if err != nil && !os.IsNotExist(err) {
		t.Error(err)
	}
	return strings.Count(string(ran), "x")
}

func countedFiles(written string) []string {
	found, _ := filepath.Glob(written + ".*") // the pattern is good
	return found
}
