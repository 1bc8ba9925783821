package lease

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

// faulty is an agent whose first session has a fault that strikes once: in the lease's
// own goroutine, or beside it.
type faulty struct {
	provider.Provider
	beside bool
	fault  func()
	struck *atomic.Bool
}

func (f faulty) strike(beside bool) {
	if beside == f.beside && !f.struck.Swap(true) {
		f.fault()
	}
}

type faultySession struct {
	provider.Session
	agent faulty
}

// Open implements provider.Provider.
func (f faulty) Open(ctx context.Context, spec provider.Spec) (provider.Session, error) {
	s, err := f.Provider.Open(ctx, spec)
	if err != nil {
		return nil, err
	}
	return &faultySession{s, f}, nil
}

// Title implements provider.Session; the lease's goroutine calls it.
func (s *faultySession) Title() string {
	s.agent.strike(false)
	return s.Session.Title()
}

// Start implements provider.Session; it is called beside.
func (s *faultySession) Start(ctx context.Context, prompt string, opts provider.TurnOptions) error {
	s.agent.strike(true)
	return s.Session.Start(ctx, prompt, opts)
}

// A lease whose goroutine is stuck, panics or vanishes is given up: its C64 is cut off
// and told so when it comes back, its session can be taken up again, and no other
// lease waits for any of that.
func TestLeaseWhoseGoroutineIsLostIsGivenUpAndNoOtherNotices(t *testing.T) {
	for name, c := range map[string]struct{ stuck, beside bool }{
		"stuck": {stuck: true}, "panics": {}, "vanishes": {}, "panics beside": {beside: true}, "vanishes beside": {beside: true},
	} {
		t.Run(name, func(t *testing.T) {
			var wake chan struct{}
			fault := func() { <-wake }
			switch {
			case strings.HasPrefix(name, "panics"):
				fault = func() { panic("boom") }
			case strings.HasPrefix(name, "vanishes"):
				fault = runtime.Goexit
			}
			bubble(t, func(r *rig) {
				losesALease(r, c.stuck)
				if wake != nil { // it finds that nobody waits for it
					close(wake)
					synctest.Wait()
				}
				closed := 0
				for _, call := range r.agent.Calls(providertest.OpClose) {
					if call.Session == r.session(1) {
						closed++
					}
				}
				if closed != 1 {
					t.Errorf("the lost lease's session was closed %d times", closed)
				}
			}, func(cfg *Config) {
				if c.stuck {
					wake = make(chan struct{}) // of the bubble
				}
				cfg.Provider = faulty{cfg.Provider, c.beside, fault, new(atomic.Bool)}
			})
		})
	}
}

// losesALease loses the lease of one of two C64s.
func losesALease(r *rig, stuck bool) {
	t := r.t
	stored(r)
	ctx, stop := context.WithCancel(t.Context())
	tended := make(chan error, 1)
	go func() { tended <- r.table.Tend(ctx, nil) }()
	victim, other := r.dial(), r.dial()
	victim.send(frames.SessionListGet{})
	victim.send(frames.SessionSelect{Index: 1})
	victim.prompt("work") // opens the session, whose title is the fault
	began := time.Now()
	infos := r.table.Snapshot()
	if stuck && (len(infos) != 2 || infos[0].Turn != NoAnswer || infos[1].Turn != "READY" || time.Since(began) != tellTime) {
		t.Errorf("after %v: %+v", time.Since(began), infos)
	}
	other.prompt("work")
	r.session(2).End(provider.EndDone, "")
	single[frames.TurnDone](t, other.take())

	time.Sleep(stuckTime + stuckTime/tendLooks)
	isErr(t, victim.ended(), ErrDetached)
	if !victim.link.wasKilled() || other.link.wasKilled() || other.ended() != nil {
		t.Errorf("cut off: %v, %v (%v)", victim.link.wasKilled(), other.link.wasKilled(), other.ended())
	}
	_, err := r.tryBack(victim, 0)
	isErr(t, err, ErrExpired)
	if infos := r.table.Snapshot(); len(infos) != 1 || infos[0].ID != other.att.ID() {
		t.Errorf("what is left: %+v", infos)
	}
	other.send(frames.SessionListGet{})
	list := only[frames.SessionEntry](other.take())
	at := slices.IndexFunc(list, func(e frames.SessionEntry) bool { return string(e.Title) == "Older" })
	other.send(frames.SessionSelect{Index: uint8(at)})
	if s := single[frames.SessionState](t, other.take()); string(s.Title) != "Older" {
		t.Errorf("took up %+v", s)
	}
	stop()
	isErr(t, <-tended, nil)
}

// A lease that has nothing to do, or whose agent takes its time to end, is not stuck.
func TestLeaseThatOnlyWaitsIsNotGivenUp(t *testing.T) {
	bubble(t, func(r *rig) {
		ctx, stop := context.WithCancel(r.t.Context())
		tended := make(chan error, 1)
		pets := 0
		go func() {
			tended <- r.table.Tend(ctx, func(context.Context) time.Duration { pets++; return time.Second })
		}()
		idle, leaving := r.dial(), r.dial()
		leaving.prompt("work")
		synctest.Wait()
		release := r.agent.Block(providertest.OpClose)
		leaving.send(frames.SessionRelease{})
		time.Sleep(10 * stuckTime)
		if idle.ended() != nil || idle.link.wasKilled() || leaving.link.wasKilled() {
			t.Errorf("given up: %v, killed %v, %v", idle.ended(), idle.link.wasKilled(), leaving.link.wasKilled())
		}
		idle.send(frames.SettingsGet{})
		single[frames.SettingsState](t, idle.take())
		if pets < int(10*stuckTime/time.Second) {
			t.Errorf("%d pets, of which each asks for the next within a second", pets)
		}
		release()
		stop()
		isErr(t, <-tended, nil)
	})
}
