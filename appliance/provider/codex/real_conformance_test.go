package codex

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/codex/responsestest"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

func TestRealCodexKeepsTheRulesOfAProvider(t *testing.T) {
	realCodex(t)
	providertest.Run(t, providertest.Harness{
		Setup: func(t *testing.T) providertest.World {
			w := newRealWorld(t)
			pidFile := filepath.Join(t.TempDir(), "pid")
			w.api.On("crash", func() { signalTo(t, pidFile, syscall.SIGKILL) })
			cfg := w.config()
			cfg.Argv = withPID(w.binary, pidFile)
			return providertest.World{
				New:       func() (provider.Provider, error) { return New(cfg) },
				Workspace: w.workspace,
				Other:     w.other,
				Effects:   func(kind frames.ApprovalKind) int { return effects(t, w.workspace, kind) },
			}
		},
		Prompts: providertest.Prompts{
			Plain:      "hello",
			Long:       "[[fill 512]]",
			LongText:   responsestest.Fill(512),
			Think:      "[[think]]",
			Command:    "[[run echo x >> ran]]",
			File:       "[[write once.bas]]",
			Busy:       "[[try sleep 600]]",
			Fail:       "[[failed out of cheese]]",
			FailReason: "out of cheese",
			Hang:       "[[hang]]",
			Crash:      "[[signal crash]]",
		},
		Lacks: map[providertest.Feature]string{
			providertest.IgnoredCancel: "the real one always hears; TestStoppedRealCodexIsKilledByClose stops it from outside",
		},
	})
}

// withPID starts Codex and writes its process number to a file.
func withPID(binary, pidFile string) []string {
	return []string{"sh", "-c", `echo $$ > "$1"; exec "$0" app-server`, binary, pidFile}
}

// signalTo sends a signal to the process whose number stands in a file.
func signalTo(t *testing.T, pidFile string, sig syscall.Signal) {
	raw, err := os.ReadFile(pidFile)
	if err != nil {
		t.Error(err)
		return
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		t.Error(err)
		return
	}
	if err := syscall.Kill(pid, sig); err != nil {
		t.Error(err)
	}
}
