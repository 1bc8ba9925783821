package demo

import (
	"context"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

// A fault in a turn, or in what stores it, ends the session in words; it can be opened
// again, and the others go on.
func TestFaultOfATurnEndsItsSessionInWords(t *testing.T) {
	for name, prompt := range map[string]string{"turn": "/slow 3 100", "store": "hello"} {
		t.Run(name, func(t *testing.T) {
			sleep, clock := &providertest.Fault{}, &providertest.Fault{}
			p, err := New(Config{
				DataDir: t.TempDir(),
				Now:     func() time.Time { clock.Strike(); return time.Now() },
				Sleep:   func(ctx context.Context, _ time.Duration) error { sleep.Strike(); return ctx.Err() },
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = p.Close() })
			workspace := t.TempDir()
			open := func(id string) *rig {
				s, err := p.Open(t.Context(), provider.Spec{Workspace: workspace, SessionID: id})
				if err != nil {
					t.Fatal(err)
				}
				return &rig{t: t, s: s, workspace: workspace, answer: frames.AcceptOnce}
			}
			r, other := open(""), open("")
			for _, one := range []*rig{r, other} {
				if end := one.ask("hello").end; end.End != provider.EndDone {
					t.Fatalf("%+v", end)
				}
			}
			fault := map[string]*providertest.Fault{"turn": sleep, "store": clock}[name]
			fault.Set()
			if end := r.ask(prompt).end; end != (provider.EndEvent{End: provider.EndFailed, Reason: provider.WordsBroke}) || !fault.Struck() {
				t.Fatalf("struck %v, the end is %+v", fault.Struck(), end)
			}
			if ev, ok := <-r.s.Events(); ok {
				t.Errorf("behind it came %+v", ev)
			}
			id := r.s.ID()
			if err := r.s.Close(); err != nil {
				t.Error(err)
			}
			for _, one := range []*rig{other, open(id)} {
				if end := one.ask("hello").end; end.End != provider.EndDone {
					t.Errorf("then a turn ends as %+v", end)
				}
			}
		})
	}
}
