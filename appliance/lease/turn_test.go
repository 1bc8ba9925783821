package lease

import (
	"testing"

	"github.com/prompt64/prompt64/frames"
)

func TestTurnStreamsAndEndsOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("hello")
		s := r.session(1)
		s.Text("Hi ")
		s.Text("there.")
		end(s)
		got := c.take()
		if p := prose(got); p != "Hi there." {
			t.Errorf("prose is %q: %s", p, show(got))
		}
		single[frames.TurnDone](t, got)
		if calls := r.agent.Calls("Start"); len(calls) != 1 || calls[0].Prompt != "hello" {
			t.Errorf("Start was called as %+v", calls)
		}
	})
}
