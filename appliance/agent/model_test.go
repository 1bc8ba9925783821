package agent

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/prompt64/prompt64/appliance/agent/agenttest"
)

// model is what a store should hold.
type model struct {
	current, former string
	held            map[string]*Program // used by someone
}

// install is what a successful installation does to it.
func (m *model) install(version string) {
	if version != m.current {
		if m.current != "" {
			m.former = m.current
		}
		m.current = version
	}
	if m.former == m.current {
		m.former = ""
	}
}

// present are the versions that must be there: those with a place, and those in
// use.
func (m *model) present() []string {
	set := map[string]bool{m.current: m.current != "", m.former: m.former != ""}
	for v := range m.held {
		set[v] = true
	}
	var list []string
	for v, there := range set {
		if there {
			list = append(list, v)
		}
	}
	slices.Sort(list)
	return list
}

// step is one thing that happens to a store.
func (m *model) step(rt *rapid.T, r *rig, archives []Request) {
	req := rapid.SampledFrom(archives).Draw(rt, "version")
	switch rapid.IntRange(0, 4).Draw(rt, "step") {
	case 0, 1:
		if _, err := r.in.Install(rt.Context(), req); err != nil {
			rt.Fatal(err)
		}
		m.install(req.Version)
		got := strings.Fields(r.versions())
		slices.Sort(got)
		if want := m.present(); !slices.Equal(got, want) {
			rt.Fatalf("versions %v, want %v", got, want)
		}
	case 2:
		bad := r.in
		bad.Tests = []Test{fails}
		if _, err := bad.Install(rt.Context(), req); err == nil {
			rt.Fatal("one that fails was installed")
		}
	case 3:
		m.use(rt, r)
	case 4:
		for v, p := range m.held {
			_ = p.Close()
			delete(m.held, v)
			break
		}
	}
	if got := r.current(); got != m.current {
		rt.Fatalf("current %q, want %q", got, m.current)
	}
	if left := r.litter(); len(left) > 0 {
		rt.Fatalf("left %v", left)
	}
}

// use holds the current version, if there is one.
func (m *model) use(rt *rapid.T, r *rig) {
	p, err := r.in.Store.Use(Codex)
	switch {
	case (err == nil) != (m.current != ""):
		rt.Fatal(err)
	case err != nil:
		return
	}
	if old := m.held[p.Version]; old != nil {
		_ = old.Close()
	}
	m.held[p.Version] = p
}

// Whatever is installed, used and let go of in whatever order: the current
// version is the last that was installed well, the one before it stays, what is
// in use stays, and an installation leaves nothing else.
func TestStoreIsAsItsModel(t *testing.T) {
	t.Parallel()
	rig := newRig(t)
	var archives []Request
	for _, v := range []string{"1.0.0", "2.0.0", "3.0.0", "4.0.0"} {
		archives = append(archives, rig.archive(agenttest.Codex{Version: v}))
	}
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t)
		m := &model{held: map[string]*Program{}}
		for range rapid.IntRange(1, 10).Draw(rt, "steps") {
			m.step(rt, r, archives)
		}
		for _, p := range m.held {
			_ = p.Close()
		}
	})
}
