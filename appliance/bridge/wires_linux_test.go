package bridge

import (
	"context"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/link/linktest"
	"github.com/prompt64/prompt64/frames/framestest"
)

// The same suite over what the kernel gives for a serial port: bytes are damaged, and
// each connection has an adapter of its own, which is pulled out at its end.
func TestEveryScenarioIsTheSameOverATerminalWithFaults(t *testing.T) {
	seed := framestest.Seed(t)
	want := storiesOverTCP(t)
	for i, scenario := range sortedScenarios() {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			port := filepath.Join(t.TempDir(), "ttyUSB0")
			th := serveLine(t, link.Config{Port: port, Baud: 115200})
			got := th.playAs(t, scenario, framestest.Config{Retry: 100 * time.Millisecond, Dial: func(ctx context.Context) (net.Conn, error) {
				return dialTerminal(ctx, port, seed+uint64(i))
			}})
			if got != want[scenario] {
				t.Errorf("the story differs (-TCP +terminal):\n%s", cmp.Diff(want[scenario], got))
			}
		})
	}
}

// dialTerminal puts a new adapter in the place of the one before.
func dialTerminal(ctx context.Context, port string, seed uint64) (net.Conn, error) {
	pty, err := linktest.Plug(port)
	if err != nil {
		return nil, err
	}
	nc, err := linktest.Dial(ctx, linktest.Noisy(pty, linktest.Rough, seed), linktest.Config{Baud: 115200})
	if err != nil { // which closed the adapter
		return nil, err
	}
	return nc, nil
}
