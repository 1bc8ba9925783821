package acp

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/acp/acptest"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

// A fault in whatever a session starts ends its turn in words and its agent; another
// session does not notice, and it can be opened again.
func TestFaultOfASessionEndsItsAgentAndTheNextPromptHasAnother(t *testing.T) {
	for name, script := range map[string]string{
		"reader": "line garbage\nhang", // its log
		"turn":   "say x",              // the store's clock
	} {
		t.Run(name, func(t *testing.T) {
			fault, clock := &providertest.Fault{}, &providertest.Fault{}
			r := newRig(t, acptest.Options{}, func(c *Config) {
				c.Logger = fault.Logger("what is no message")
				c.Now = func() time.Time { clock.Strike(); return time.Now() }
			})
			p, other := r.open(""), r.open("")
			want(t, endOf(p.play("say x", frames.AccessAsk)), "end done")
			want(t, endOf(other.play("say x", frames.AccessAsk)), "end done")
			a := p.s.(*session).running()
			if name == "turn" {
				fault = clock
			}
			fault.Set()
			want(t, endOf(p.play(script, frames.AccessAsk)), "end failed "+provider.WordsBroke)
			if ev := p.next(); ev != nil || !fault.Struck() {
				t.Errorf("struck %v, behind it came %+v", fault.Struck(), ev)
			}
			if err := p.s.Start(t.Context(), "say x", provider.TurnOptions{}); !errors.Is(err, provider.ErrClosed) {
				t.Errorf("Start: %v", err)
			}
			id := p.s.ID()
			var both sync.WaitGroup // a lease opens it anew while it is closed
			both.Go(func() { _ = p.s.Close() })
			want(t, endOf(other.play("say y", frames.AccessAsk)), "end done")
			both.Wait()
			<-a.done // its process is gone
			want(t, endOf(r.open(id).play("say z", frames.AccessAsk)), "end done")
		})
	}
}
