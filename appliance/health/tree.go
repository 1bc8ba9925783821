package health

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// How long a check may take, and how much longer it is waited for: one that heeds
// its deadline still says what it knows.
const (
	Timeout = 4 * time.Second
	grace   = 500 * time.Millisecond
)

// Tree is a set of probes. Its methods are safe for concurrent use.
type Tree struct {
	timeout time.Duration
	entries []*entry
}

// New makes a tree. Of two probes with the same ID the later one counts.
func New(probes ...Probe) *Tree {
	t := &Tree{timeout: Timeout}
	at := map[string]int{}
	for _, p := range probes {
		e := &entry{probe: p}
		if i, ok := at[p.ID()]; ok {
			t.entries[i] = e
			continue
		}
		at[p.ID()] = len(t.entries)
		t.entries = append(t.entries, e)
	}
	return t
}

// Run checks everything and returns when all checks are back or out of time. When
// ctx is done it returns with what it has.
func (t *Tree) Run(ctx context.Context) Report {
	nodes := make([]Node, len(t.entries))
	var all sync.WaitGroup
	for i, e := range t.entries {
		guarded.In(&all, "check "+e.probe.ID(), func() {
			nodes[i] = e.node(ctx, t.timeout)
		}, func(err error) { nodes[i] = brokenNode(Node{ID: e.probe.ID(), Name: e.probe.ID()}, err) })
	}
	all.Wait()
	return newReport(nodes)
}

// entry is a probe of a tree with the check that runs, if any.
type entry struct {
	probe Probe

	mu      sync.Mutex
	running *check
}

// check is one call of a probe. node is good when done is closed.
type check struct {
	done chan struct{}
	node Node
}

// node starts a check, or joins the one that runs, and waits for it.
func (e *entry) node(ctx context.Context, timeout time.Duration) Node {
	deadline := time.NewTimer(timeout + grace)
	defer deadline.Stop()
	c := e.start(ctx, timeout)
	var detail string
	select {
	case <-c.done:
		return c.node
	case <-deadline.C:
		detail = fmt.Sprintf("this check did not come back within %d s", int(timeout/time.Second))
	case <-ctx.Done():
		detail = "this check was cut short"
	}
	select {
	case <-c.done: // at the last moment
		return c.node
	default:
		n := e.describe()
		n.Detail = detail
		return n
	}
}

// start returns the check that runs. A check that is joined by a second caller
// is not cut short by the first one's leaving, only by time.
func (e *entry) start(ctx context.Context, timeout time.Duration) *check {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.running != nil {
		return e.running
	}
	c := &check{done: make(chan struct{})}
	e.running = c
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	described := e.describe()
	ended := func(n Node) {
		e.mu.Lock()
		defer e.mu.Unlock()
		c.node, e.running = n, nil
		close(c.done)
	}
	guarded.Go("check "+described.ID, func() {
		defer cancel()
		ended(e.call(ctx, described))
	}, func(err error) { ended(brokenNode(described, err)) })
	return c
}

// brokenNode is the result of a check that has a fault of its own.
func brokenNode(n Node, err error) Node {
	n.State, n.Detail = Unknown, fmt.Sprintf("this check broke: %v", err)
	n.Hint = "Please report it, with a support bundle."
	return n
}

// call makes a node of what the probe finds.
func (e *entry) call(ctx context.Context, described Node) Node {
	n := e.probe.Check(ctx)
	n.ID = described.ID
	if n.Name == "" {
		n.Name = described.Name
	}
	if n.Needs == nil {
		n.Needs = described.Needs
	}
	return n
}

func (e *entry) describe() Node {
	n := Node{ID: e.probe.ID()}
	if d, ok := e.probe.(Describer); ok {
		n = d.Describe()
		n.ID = e.probe.ID()
	}
	if n.Name == "" {
		n.Name = n.ID
	}
	return n
}
