package checks

import (
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/health"
)

// says fails unless a node has a state and says these words.
func says(t *testing.T, n health.Node, state health.State, words ...string) {
	t.Helper()
	if n.State != state {
		t.Errorf("state is %v, want %v: %+v", n.State, state, n)
	}
	for _, w := range words {
		if !strings.Contains(n.Detail+"|"+n.Hint, w) {
			t.Errorf("%q is not said: %+v", w, n)
		}
	}
	if troubled := n.State == health.Warn || n.State == health.Fail; !troubled && n.Hint != "" {
		t.Errorf("there is nothing to do, and yet a hint: %+v", n)
	}
	if strings.ContainsAny(n.Detail+n.Hint, "\n\r") {
		t.Errorf("more than one line: %+v", n)
	}
}

// check runs one probe.
func check(t *testing.T, p health.Probe) health.Node {
	t.Helper()
	n, ok := health.New(p).Run(t.Context()).Node(p.ID())
	if !ok {
		t.Fatalf("there is no node of %s", p.ID())
	}
	return n
}
