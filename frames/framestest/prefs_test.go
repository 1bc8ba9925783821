package framestest

import (
	"errors"
	"testing"

	"github.com/prompt64/prompt64/frames"
)

func TestSettingsReachALeaseWhoseLineBrokeWithinThem(t *testing.T) {
	p := newPeer(t, func(w *wire) {
		w.hello()
		w.expect(frames.LeaseGet{})
		w.send(frames.LeaseState{Token: token, Lifetime: frames.LeaseSeconds})
		w.expect(frames.SettingsSet{Reasoning: frames.ReasoningSummary, HasDisplay: true})
		w.send(frames.SettingsState{Reasoning: frames.ReasoningSummary})
		w.expect(frames.AccessSet{Access: frames.AccessAsk})
	}, func(w *wire) {
		w.again(0, false, 0)
		w.expect(frames.SettingsSet{Reasoning: frames.ReasoningSummary, HasDisplay: true})
		w.send(frames.SettingsState{Reasoning: frames.ReasoningSummary})
		w.expect(frames.AccessSet{Access: frames.AccessAsk})
		w.send(frames.AccessState{Access: frames.AccessAsk})
		w.expect(frames.WorkspaceSet{Path: []byte{}})
		w.send(frames.WorkspaceState{})
		w.quiet()
	})
	c := New(Config{Dial: p.dial, Quiet: -1, Logf: t.Logf})
	defer c.Close()
	ctx := testContext(t)
	if err := c.Connect(ctx); !errors.Is(err, ErrLinkLost) {
		t.Fatal(err)
	}
	must(t, c.Reconnect(ctx))
	c.Close()
	p.finished(2)
	noViolations(t, c)
}
