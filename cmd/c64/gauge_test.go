package main_test

import (
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
	"github.com/prompt64/prompt64/frames"
)

// pause is long enough for a request and its answer.
const pause = 500 * time.Millisecond

// lean plays a bridge with some capabilities only: whoever asks for more loses
// the line, as the protocol has it.
func lean(caps frames.Capabilities, rows ...string) func(w *stage.Wire) {
	return func(w *stage.Wire) {
		seq := uint16(0)
		for {
			m, ok := w.Next()
			if !ok {
				return
			}
			switch m := m.(type) {
			case frames.Hello:
				w.Send(frames.HelloOk{Major: 2, Capabilities: caps})
			case frames.LeaseGet:
				seq = 0
				w.Send(frames.LeaseState{Token: frames.Token{1}, Lifetime: frames.LeaseSeconds})
			case frames.SessionRelease:
				w.Send(frames.SessionRelease{})
			case frames.Reconnect:
				w.Send(frames.ReconnectState{Token: m.Token}, frames.ReconnectDone{})
			case frames.Heartbeat:
				w.Send(frames.HeartbeatAck{})
			case frames.DashboardGet:
				if caps&frames.CapDashboard == 0 {
					return
				}
				for n, text := range rows {
					w.Send(frames.DashboardEntry{Tab: m.Tab, Row: uint8(n), Data: []byte(text)})
				}
				w.Send(frames.DashboardDone{})
			case frames.UserText:
				w.Send(frames.AssistantDelta{Seq: seq + 1, Text: []byte("heard")}, frames.TurnDone{Seq: seq + 2})
				seq += 2
			default:
				return
			}
		}
	}
}

// A client that asks for what the bridge does not have is cut off, and would
// come again and again.
func TestNothingIsAskedOfABridgeThatLacksIt(t *testing.T) {
	t.Parallel()
	c := stage.Boot(t, stage.Impostor(t, lean(frames.CapLease|frames.CapHeartbeat)), stage.Machine{})
	c.Strike("RETURN")
	c.Settled()
	c.Keys("one\n")
	c.WaitPaper("> one heard", patience)
	for _, view := range []string{"F1", "F3", "F5"} {
		c.Strike(view)
		c.Let(4 * pause)
		c.Strike("DOWN", "RIGHT", "STOP")
		c.Let(4 * pause)
		c.Settled()
	}
	if n := c.Dials.Load(); n != 2 { // F5 begins anew, on a line of its own
		t.Errorf("the line was opened %d times", n)
	}
	c.Reset()
	c.Strike("RETURN")
	c.Settled()
	c.Keys("two\n")
	c.WaitPaper("> two heard", patience)
	if n := c.Dials.Load(); n != 3 {
		t.Errorf("after a reset the line was opened %d times", n-2)
	}
}

func TestGaugeShowsTheContextWhereTheBridgeKnowsIt(t *testing.T) {
	t.Parallel()
	for name, g := range map[string]struct {
		row, want string
	}{
		"percent":   {"CONTEXT: 25% of 200000 tokens", "CONTEXT 25%"},
		"full":      {"CONTEXT: 100% of 200000 tokens", "CONTEXT 100%"},
		"no window": {"CONTEXT: 48123 tokens", "CONTEXT 48123"},
		"unknown":   {"TURN: READY", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := stage.Impostor(t, lean(frames.CapLease|frames.CapHeartbeat|frames.CapDashboard,
				"PROVIDER: parrot 1", "WORKSPACE: /", "ACCESS: Ask Me to Approve", g.row))
			c := stage.Boot(t, at, stage.Machine{})
			c.Strike("RETURN")
			c.Settled()
			c.Keys("one\n")
			c.WaitPaper("> one heard", patience)
			c.Settled()
			if g.want == "" {
				c.Let(4 * pause)
				if strings.Contains(c.Status(), "CONTEXT") {
					t.Errorf("the status line says %q", c.Status())
				}
				return
			}
			c.Wait(g.want, patience)
			if !strings.HasSuffix(c.Status(), " "+g.want) {
				t.Errorf("the status line says %q", c.Status())
			}
		})
	}
}

func TestTitleNeverCutsAVersion(t *testing.T) {
	t.Parallel()
	for provider, want := range map[string]string{
		"codex 0.171":              "PROMPT64 codex 0.171 ",
		"demo development":         "PROMPT64 demo  ",
		"demo 1.0":                 "PROMPT64 demo 1.0 ",
		"averylongnameofaprovider": "PROMPT64 averylongna ",
	} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			at := stage.Impostor(t, lean(frames.CapLease|frames.CapHeartbeat|frames.CapDashboard,
				"PROVIDER: "+provider, "WORKSPACE: repo", "ACCESS: Ask Me to Approve"))
			c := stage.Boot(t, at, stage.Machine{})
			c.Strike("RETURN")
			c.Until("the workspace", patience, func() bool { return strings.Contains(c.Title(), "repo") })
			if !strings.HasPrefix(c.Title(), " "+want) {
				t.Errorf("the title is %q, want %q", c.Title(), want)
			}
		})
	}
}
