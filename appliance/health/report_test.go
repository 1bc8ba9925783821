package health_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/prompt64/prompt64/appliance/health"
)

func TestNodeInTroubleWaitsForTheRootOfIt(t *testing.T) {
	r := health.New(
		fixed("agent", health.Fail, "clock"),
		fixed("clock", health.Warn, "network"),
		fixed("network", health.Fail, "power"),
		fixed("power", health.Warn),
		fixed("settings", health.OK, "network"),
		fixed("serial", health.Off, "network"),
		fixed("c64", health.Unknown, "agent"),
	).Run(t.Context())
	for id, want := range map[string]health.State{
		"power": health.Warn, "network": health.Fail, "clock": health.Unknown, "agent": health.Unknown,
		"settings": health.OK, "serial": health.Off, "c64": health.Unknown,
	} {
		n := node(t, r, id)
		waits := id == "clock" || id == "agent" || id == "c64"
		if n.State != want || waits != (n.Waits == "network") {
			t.Errorf("%s: %+v", id, n)
		}
		if waits && (n.Detail != "waits for NETWORK" || n.Hint != "") {
			t.Errorf("%s says %q and hints %q", id, n.Detail, n.Hint)
		}
	}
	if n, ok := r.Trouble(); !ok || n.ID != "network" {
		t.Errorf("trouble: %+v", n)
	}
	if r.Worst() != health.Fail || r.Healthy() {
		t.Errorf("worst: %v", r.Worst())
	}
}

func TestWorstHidesNothingThatIsKnown(t *testing.T) {
	for _, c := range []struct {
		states []health.State
		want   health.State
	}{
		{nil, health.Unknown},
		{[]health.State{health.Off}, health.Off},
		{[]health.State{health.Off, health.Unknown}, health.Unknown},
		{[]health.State{health.Off, health.OK, health.Unknown}, health.OK},
		{[]health.State{health.OK, health.Warn, health.OK}, health.Warn},
		{[]health.State{health.Fail, health.Warn, health.OK}, health.Fail},
	} {
		var probes []health.Probe
		for i, s := range c.states {
			probes = append(probes, fixed(string(rune('a'+i)), s))
		}
		if got := health.New(probes...).Run(t.Context()).Worst(); got != c.want {
			t.Errorf("%v: %v", c.states, got)
		}
	}
}

func TestEveryNodeStandsOnceAndBehindItsNeeds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ids := rapid.SliceOfNDistinct(rapid.StringMatching("[a-h]"), 1, 8, rapid.ID[string]).Draw(rt, "ids")
		forward := rapid.Bool().Draw(rt, "without circles")
		var probes []health.Probe
		for i, id := range ids {
			from := ids
			if forward {
				from = ids[i+1:]
			}
			var needs []string
			if len(from) > 0 {
				needs = rapid.SliceOfN(rapid.SampledFrom(append([]string{"x"}, from...)), 0, 3).Draw(rt, "needs of "+id)
			}
			probes = append(probes, fixed(id, health.State(rapid.IntRange(0, 4).Draw(rt, "state")), needs...))
		}
		r := health.New(probes...).Run(t.Context())
		if len(r.Nodes) != len(ids) {
			rt.Fatalf("%d nodes of %d probes", len(r.Nodes), len(ids))
		}
		for i, n := range r.Nodes {
			for j, m := range r.Nodes {
				if forward && slices.Contains(n.Needs, m.ID) && j > i {
					rt.Fatalf("%s stands before %s, which it needs", n.ID, m.ID)
				}
			}
			if text := r.Text(); strings.Count(text, strings.ToUpper(n.ID)+" ") < 1 {
				rt.Fatalf("%s is not in the picture:\n%s", n.ID, text)
			}
		}
		if lines := strings.Count(r.Text(), "\n"); lines < len(ids) || lines > 2*len(ids) {
			rt.Fatalf("the picture has %d lines:\n%s", lines, r.Text())
		}
	})
}

func TestPictureForACommandLineNamesTheCommandAndNothingThatWaitsDoes(t *testing.T) {
	both := func(id string, needs ...string) health.Probe {
		return probe(id, needs, func(context.Context) health.Node {
			return health.Node{State: health.Fail, Detail: "it is not there", Hint: "install it on the pages", Shell: "run: install " + id}
		})
	}
	r := health.New(both("one"), both("two", "one")).Run(t.Context())
	text := r.Text()
	if !strings.Contains(text, "-> run: install one") || strings.Contains(text, "on the pages") || strings.Contains(text, "install two") {
		t.Errorf("the picture:\n%s", text)
	}
	if n := node(t, r, "one"); n.Hint != "install it on the pages" || n.Shell != "run: install one" {
		t.Errorf("node: %+v", n)
	}
}

func TestPictureOfTheTree(t *testing.T) {
	r := health.New(
		fixed("power", health.OK),
		fixed("data", health.OK),
		fixed("network", health.Fail, "power"),
		fixed("clock", health.Warn, "network"),
		fixed("c64", health.Unknown, "bridge"),
		fixed("bridge", health.OK, "data", "power"),
	).Run(t.Context())
	for i := range r.Nodes {
		if r.Nodes[i].State == health.OK {
			r.Nodes[i].Hint = ""
		}
	}
	want := strings.TrimLeft(`
POWER        ok       power is ok
└─ NETWORK   fail     network is fail
   │                  -> see to network
   └─ CLOCK  unknown  waits for NETWORK
DATA         ok       data is ok
└─ BRIDGE    ok       bridge is ok
   └─ C64    unknown  c64 is unknown
                      -> see to c64
`, "\n")
	if got := r.Text(); got != want {
		t.Errorf("picture:\n%s\nwant:\n%s", got, want)
	}
}

func TestReportAsJSON(t *testing.T) {
	r := health.New(fixed("a", health.Fail), fixed("b", health.Warn, "a")).Run(t.Context())
	out, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Worst health.State
		Nodes []health.Node
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if got.Worst != health.Fail || len(got.Nodes) != 2 || got.Nodes[1].Waits != "a" || got.Nodes[1].State != health.Unknown {
		t.Errorf("read back: %+v\n%s", got, out)
	}
	if out, err := (health.Report{}).JSON(); err != nil || !strings.Contains(string(out), `"nodes": []`) {
		t.Errorf("empty: %s, %v", out, err)
	}
	if _, err := json.Marshal(health.State(9)); err == nil {
		t.Error("a state that is none was encoded")
	}
	var s health.State
	if err := s.UnmarshalText([]byte("fine")); err == nil {
		t.Error("a state that is none was decoded")
	}
}
