package lease

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
	"pgregory.net/rapid"
)

// modelLease is what a lease should be, and what its C64 has seen.
type modelLease struct {
	c        *c64
	session  *providertest.FakeSession // nil before the first turn
	attached bool
	stale    bool
	gone     bool
	active   bool
	left     time.Time
	latest   uint16 // sequences assigned
	applied  uint16 // by the C64
	pending  uint16 // request that is shown, 0 if none
	asked    string // its name at the provider
}

// model is the table as a list, without goroutines, logs or locks.
type model struct {
	r         *rig
	leases    []*modelLease
	prompts   int
	decisions int
	asks      int
}

// pick chooses a lease that fits; nil if there is none.
func (m *model) pick(t *rapid.T, fits func(*modelLease) bool) *modelLease {
	var all []*modelLease
	for _, l := range m.leases {
		if !l.gone && fits(l) {
			all = append(all, l)
		}
	}
	if len(all) == 0 {
		t.Skip("none")
	}
	return rapid.SampledFrom(all).Draw(t, "lease")
}

func attached(l *modelLease) bool { return l.attached }

func (m *model) get(t *rapid.T) {
	if m.full() {
		t.Skip("full")
	}
	m.leases = append(m.leases, &modelLease{c: m.r.from(fmt.Sprint("10.1.0.", len(m.leases))), attached: true})
}

// full says that there is no room; each lease has an address of its own, so
// nobody can make room for another.
func (m *model) full() bool {
	live := 0
	for _, l := range m.leases {
		if l.attached && !l.gone {
			live++
		}
	}
	return live >= maxAttachments
}

func (m *model) detach(t *rapid.T) {
	l := m.pick(t, attached)
	m.read(t)
	l.c.cut()
	l.attached, l.left = false, time.Now()
	m.ninth()
	time.Sleep(time.Millisecond) // so that no two are left in the same moment
}

// ninth lets the one expire that the specification names.
func (m *model) ninth() {
	var away []*modelLease
	for _, l := range m.leases {
		if !l.gone && !l.attached {
			away = append(away, l)
		}
	}
	if len(away) <= frames.MaxDetachedLeases {
		return
	}
	slices.SortFunc(away, func(a, b *modelLease) int { return a.left.Compare(b.left) })
	victim := away[0]
	for _, l := range away {
		if !l.active {
			victim = l
			break
		}
	}
	victim.gone = true
}

func (m *model) reconnect(t *rapid.T) {
	if len(m.leases) == 0 {
		t.Skip("none")
	}
	l := rapid.SampledFrom(m.leases).Draw(t, "any lease")
	c, err := m.r.tryBack(l.c, l.applied)
	switch {
	case l.gone:
		expect(t, err, ErrExpired)
	case l.attached && !l.stale:
		expect(t, err, ErrInUse)
	case !l.attached && m.full():
		expect(t, err, ErrFull)
	case err != nil:
		t.Fatalf("reconnect: %v", err)
	default:
		l.c, l.attached, l.stale = c, true, false
	}
}

func expect(t *rapid.T, err, want error) {
	if err != want {
		t.Fatalf("error %v, want %v", err, want)
	}
}

func (m *model) goStale(t *rapid.T) {
	l := m.pick(t, attached)
	l.c.link.silent(6 * time.Second)
	l.stale = true
}

func (m *model) release(t *rapid.T) {
	l := m.pick(t, attached)
	l.c.send(frames.SessionRelease{})
	l.c.cut()
	l.gone = true
}

func (m *model) prompt(t *rapid.T) {
	l := m.pick(t, attached)
	m.read(t)
	before := len(m.r.agent.Opened())
	l.c.prompt("go")
	if l.active {
		return // refused, and nothing changes
	}
	m.prompts++
	l.active = true
	if opened := m.r.agent.Opened(); l.session == nil && len(opened) == before+1 {
		l.session = opened[before]
	}
}

func (m *model) text(t *rapid.T) {
	l := m.pick(t, func(l *modelLease) bool { return l.active })
	l.session.Text("word ")
	synctest.Wait()
	time.Sleep(2 * mergeTime)
	l.latest++
}

func (m *model) ask(t *rapid.T) {
	l := m.pick(t, func(l *modelLease) bool { return l.active && l.pending == 0 })
	m.asks++
	l.asked = fmt.Sprint("q", m.asks)
	l.session.Ask(l.asked, frames.KindFile, "write")
	synctest.Wait()
	l.latest++
	l.pending = l.latest
}

func (m *model) decide(t *rapid.T) {
	l := m.pick(t, attached)
	m.read(t)
	name := rapid.Uint16Range(0, l.latest+1).Draw(t, "name")
	named := rapid.Bool().Draw(t, "named")
	l.c.send(frames.ApprovalDecision{Decision: frames.Decline, Named: named, Request: name})
	if l.pending == 0 || named && name != l.pending {
		return // refused, or a repeat: nothing changes
	}
	m.decisions++
	l.pending = 0
	l.latest++ // the acknowledgement
}

func (m *model) end(t *rapid.T) {
	l := m.pick(t, func(l *modelLease) bool { return l.active })
	l.session.End(provider.EndDone, "")
	synctest.Wait()
	l.active, l.pending = false, 0
	l.latest++
}

func (m *model) cancel(t *rapid.T) {
	l := m.pick(t, attached)
	l.c.send(frames.TurnCancel{})
	if l.active {
		l.active, l.pending = false, 0
		l.latest++
	}
}

func (m *model) wait(t *rapid.T) {
	time.Sleep(time.Duration(rapid.IntRange(1, 90).Draw(t, "seconds")) * time.Second)
	synctest.Wait()
	for _, l := range m.leases {
		if !l.attached && time.Since(l.left) >= frames.LeaseSeconds*time.Second {
			l.gone = true
		}
	}
}

// read takes what came and checks that each C64 sees every sequence once.
func (m *model) read(t *rapid.T) {
	for _, l := range m.leases {
		for _, seq := range sequences(l.c.take()) {
			if seq != l.applied+1 {
				t.Fatalf("sequence %d follows %d", seq, l.applied)
			}
			l.applied = seq
		}
		if l.attached && !l.gone && l.applied != l.latest {
			t.Fatalf("applied %d of %d", l.applied, l.latest)
		}
	}
}

// check compares the table with the model.
func (m *model) check(t *rapid.T) {
	m.read(t)
	infos := m.r.table.Snapshot()
	i := 0
	for n, l := range m.leases {
		if l.gone {
			continue
		}
		if i >= len(infos) {
			t.Fatalf("lease %d is missing", n)
		}
		info := infos[i]
		i++
		turn := "READY"
		if l.pending != 0 {
			turn = "WAITING FOR YOU"
		} else if l.active {
			turn = "WORKING"
		}
		if info.ID != n+1 || info.Attached != l.attached || info.Turn != turn || info.Latest != l.latest {
			t.Fatalf("lease %d is %+v, want %+v", n, info, l)
		}
	}
	if i != len(infos) {
		t.Fatalf("%d leases, want %d", len(infos), i)
	}
	if n := m.r.agent.Count(providertest.OpStart); n != m.prompts {
		t.Fatalf("%d prompts reached the agent, want %d", n, m.prompts)
	}
	if n := m.r.agent.Count(providertest.OpDecide); n != m.decisions {
		t.Fatalf("%d decisions reached the agent, want %d", n, m.decisions)
	}
}

func TestLeasesBehaveAsTheModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inBubble := struct{ rapid.TB }{t} // hides Deadline, which a bubble forbids
		rapid.Check(inBubble, func(rt *rapid.T) {
			r := &rig{t: t, agent: providertest.NewFake(), ws: newFakeWorkspaces()}
			r.table = NewTable(Config{Provider: r.agent, Workspaces: r.ws})
			defer func() {
				if err := r.table.Close(context.Background()); err != nil {
					rt.Error(err)
				}
			}()
			m := &model{r: r}
			rt.Repeat(map[string]func(*rapid.T){
				"get": m.get, "get again": m.get, "detach": m.detach, "reconnect": m.reconnect,
				"stale": m.goStale, "release": m.release, "prompt": m.prompt, "text": m.text, "ask": m.ask,
				"decide": m.decide, "end": m.end, "cancel": m.cancel, "wait": m.wait, "": m.check,
			})
		})
	})
}
