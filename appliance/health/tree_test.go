package health_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/health"
)

// fixed is a probe that always says the same.
func fixed(id string, state health.State, needs ...string) health.Func {
	return probe(id, needs, func(context.Context) health.Node {
		return health.Node{State: state, Detail: id + " is " + state.String(), Hint: "see to " + id}
	})
}

func probe(id string, needs []string, do func(context.Context) health.Node) health.Func {
	return health.Func{Node: health.Node{ID: id, Name: strings.ToUpper(id), Needs: needs}, Do: do}
}

func node(t *testing.T, r health.Report, id string) health.Node {
	t.Helper()
	n, ok := r.Node(id)
	if !ok {
		t.Fatalf("there is no node %q in %+v", id, r)
	}
	return n
}

func TestProbesRunSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context) health.Node {
			time.Sleep(3 * time.Second)
			return health.Node{State: health.OK}
		}
		start := time.Now()
		r := health.New(probe("a", nil, slow), probe("b", []string{"a"}, slow), probe("c", nil, slow)).Run(t.Context())
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("it took %v", took)
		}
		if len(r.Nodes) != 3 || r.Worst() != health.OK {
			t.Errorf("report: %+v", r)
		}
	})
}

func TestCheckThatHangsHoldsUpNothingAndIsNotStartedTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		release := make(chan struct{})
		hangs := probe("a", nil, func(context.Context) health.Node {
			calls.Add(1)
			<-release
			return health.Node{State: health.OK, Detail: "at last"}
		})
		tree := health.New(hangs, fixed("b", health.OK))
		for range 3 {
			start := time.Now()
			r := tree.Run(t.Context())
			if took := time.Since(start); took < health.Timeout || took > 2*health.Timeout {
				t.Errorf("it took %v", took)
			}
			a := node(t, r, "a")
			if a.State != health.Unknown || a.Name != "A" || !strings.Contains(a.Detail, "did not come back") {
				t.Errorf("the node that hangs: %+v", a)
			}
			if b := node(t, r, "b"); b.State != health.OK {
				t.Errorf("the other node: %+v", b)
			}
		}
		if n := calls.Load(); n != 1 {
			t.Errorf("it was started %d times", n)
		}
		close(release)
		synctest.Wait()
		if a := node(t, tree.Run(t.Context()), "a"); a.State != health.OK {
			t.Errorf("after it came back: %+v", a)
		}
	})
}

func TestCheckThatHeedsItsDeadlineSaysWhatItKnows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tree := health.New(probe("a", nil, func(ctx context.Context) health.Node {
			<-ctx.Done()
			return health.Node{State: health.Fail, Detail: "no answer"}
		}))
		if a := node(t, tree.Run(t.Context()), "a"); a.State != health.Fail || a.Detail != "no answer" {
			t.Errorf("node: %+v", a)
		}
	})
}

func TestLeaverDoesNotCutACheckShortForWhoJoinedIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tree := health.New(probe("a", nil, func(ctx context.Context) health.Node {
			select {
			case <-time.After(2 * time.Second):
				return health.Node{State: health.OK}
			case <-ctx.Done():
				return health.Node{State: health.Fail}
			}
		}))
		first, leave := context.WithTimeout(t.Context(), time.Second)
		defer leave()
		cut := make(chan health.Report, 1)
		go func() { cut <- tree.Run(first) }()
		synctest.Wait()
		if a := node(t, tree.Run(t.Context()), "a"); a.State != health.OK {
			t.Errorf("who stayed: %+v", a)
		}
		if a := node(t, <-cut, "a"); a.State != health.Unknown || !strings.Contains(a.Detail, "cut short") {
			t.Errorf("who left: %+v", a)
		}
	})
}

func TestPanicOfACheckIsANodeLikeAnother(t *testing.T) {
	tree := health.New(probe("a", []string{"b"}, func(context.Context) health.Node { panic("ouch") }), fixed("b", health.OK))
	for range 2 {
		a := node(t, tree.Run(t.Context()), "a")
		if a.State != health.Unknown || !strings.Contains(a.Detail, "ouch") || a.Name != "A" || !slices.Equal(a.Needs, []string{"b"}) {
			t.Errorf("node: %+v", a)
		}
	}
}

func TestProbeCannotTakeAnothersPlace(t *testing.T) {
	liar := probe("a", nil, func(context.Context) health.Node { return health.Node{ID: "b", Name: "Other", State: health.OK} })
	r := health.New(liar, fixed("b", health.Fail)).Run(t.Context())
	if n := node(t, r, "b"); n.State != health.Fail {
		t.Errorf("b: %+v", n)
	}
	if n := node(t, r, "a"); n.Name != "Other" {
		t.Errorf("a: %+v", n)
	}
}

func TestLaterProbeOfTheSameIDCounts(t *testing.T) {
	r := health.New(fixed("a", health.Fail), fixed("b", health.OK), fixed("a", health.OK)).Run(t.Context())
	if len(r.Nodes) != 2 || node(t, r, "a").State != health.OK {
		t.Errorf("report: %+v", r)
	}
}
