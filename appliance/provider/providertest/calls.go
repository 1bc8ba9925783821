package providertest

import (
	"context"
	"sync"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// Op names a method of a Fake or of one of its sessions.
type Op string

// The operations that a Fake records and that a test may hook.
const (
	OpSessions      Op = "Sessions"
	OpOpen          Op = "Open"
	OpHistory       Op = "History"
	OpStart         Op = "Start"
	OpDecide        Op = "Decide"
	OpCancel        Op = "Cancel"
	OpClose         Op = "Close" // of a session
	OpProviderClose Op = "Provider.Close"
)

// Call is one call that a Fake saw. Only the fields that belong to its Op are
// set.
type Call struct {
	Op         Op
	Session    *FakeSession // nil for Sessions, Open and Provider.Close
	Workspace  string       // Sessions
	Spec       provider.Spec
	Prompt     string
	Options    provider.TurnOptions
	ApprovalID string
	Decision   frames.Decision
}

// Hook runs in the place of a call, after it was recorded and before it has an
// effect. An error is the call's result, and the call has no effect then. A hook
// may block, and should end when its context does.
type Hook func(ctx context.Context, c Call) error

// recorder keeps the calls and the hooks.
type recorder struct {
	mu      sync.Mutex
	calls   []Call
	hooks   map[Op]Hook
	changed chan struct{} // closed, and made anew, at each call
}

func newRecorder() *recorder {
	return &recorder{hooks: map[Op]Hook{}, changed: make(chan struct{})}
}

// enter records a call and runs its hook.
func (r *recorder) enter(ctx context.Context, c Call) error {
	r.mu.Lock()
	r.calls = append(r.calls, c)
	hook := r.hooks[c.Op]
	close(r.changed)
	r.changed = make(chan struct{})
	r.mu.Unlock()
	if hook == nil {
		return nil
	}
	return hook(ctx, c)
}

func (r *recorder) hook(op Op, h Hook) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hooks[op] = h
}

// of returns the calls of one Op, all of them for "".
func (r *recorder) of(op Op) ([]Call, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var found []Call
	for _, c := range r.calls {
		if op == "" || c.Op == op {
			found = append(found, c)
		}
	}
	return found, r.changed
}

// await returns the nth call of an Op, counted from 1, once it was made.
func (r *recorder) await(ctx context.Context, op Op, n int) (Call, error) {
	for {
		calls, changed := r.of(op)
		if len(calls) >= n {
			return calls[n-1], nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Call{}, ctx.Err()
		}
	}
}
