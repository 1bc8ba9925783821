package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// The line lives, for heartbeats are answered, and yet the agent says nothing:
// that is neither work nor a cut line.
func TestTurnThatIsSilentForEightSecondsIsStalledAndTheLineStays(t *testing.T) {
	t.Parallel()
	onBothStandards(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		b.Gate.Shut()
		c.Keys("/slow 3 100\n")
		c.WaitPaper("delta 1", patience)
		said := c.Now()
		c.Wait("STALLED 8S", patience)
		if took := c.Now() - said; took < 7500*time.Millisecond || took > 10*time.Second {
			t.Errorf("after %s it is stalled", took)
		}
		c.Portray("chat_stalled")
		c.Wait("STALLED 20S", patience)
		b.Gate.Pass(1)
		c.WaitPaper("delta 2", patience)
		c.Let(100 * time.Millisecond)
		if strings.Contains(c.Status(), "STALLED") {
			t.Errorf("the agent was heard, and the status line says %q", c.Status())
		}
		b.Gate.Open()
		c.Settled()
		if n := c.Dials.Load(); n != 1 {
			t.Errorf("the line was opened %d times", n)
		}
	})
}

// A command may run for long: that is work, not a stall.
func TestActivityThatTakesLongIsWorkWithItsSeconds(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Connect()
	c.Keys("/run sh -c 'until test -e go; do sleep 0.01; done'\n")
	c.Accept()
	c.Until("its seconds", patience, func() bool {
		return strings.Contains(c.Status(), "WORKING: ") && strings.HasSuffix(c.Status(), " 12S")
	})
	if err := os.WriteFile(filepath.Join(b.Work, "go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	c.Settled()
}

// What is typed as soon as the line is up goes out behind the lease's setup,
// with no second RETURN.
func TestPromptDuringTheSetupOfALeaseIsSentOnce(t *testing.T) {
	t.Parallel()
	onSomeMachines(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.M.UCI().Lag(1500 * time.Millisecond)
		c.Strike("RETURN")
		c.Until("on line", patience, func() bool { return strings.Contains(c.Title(), "ON LINE") })
		if strings.Contains(c.Title(), "demo") {
			t.Fatal("the setup was over too soon for this test")
		}
		c.Keys("hi\n")
		if strings.Contains(c.Status(), "UNSENT") {
			t.Errorf("on line, and the status line says %q", c.Status())
		}
		c.Until("the prompt arrives", patience, func() bool { return len(b.Prompts()) > 0 })
		c.Settled()
		if got := strings.Join(b.Prompts(), ","); got != "hi" {
			t.Errorf("the agent got %q", got)
		}
	})
}
