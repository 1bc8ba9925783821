package providertest

import (
	"context"
	"fmt"
	"sort"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
)

// Fake is a provider in memory that does nothing by itself: a test opens a
// session through the code under test, takes the FakeSession and pushes events
// by hand. Every call is recorded, and a hook may delay or refuse it.
//
// A Fake keeps the rules of package provider as long as the test does: it does
// not stop a test from pushing what no good agent would, such as two ends of a
// turn.
type Fake struct {
	calls *recorder

	mu      sync.Mutex
	info    provider.Info
	stored  map[string]*fakeRecord
	opened  []*FakeSession
	nextID  int
	closed  bool
	changed chan struct{} // closed, and made anew, when a session opens
}

// fakeRecord is what survives a session's Close.
type fakeRecord struct {
	workspace string
	info      provider.SessionInfo
	history   []provider.Entry
}

var _ provider.Provider = (*Fake)(nil)

// NewFake makes a Fake that has no sessions.
func NewFake() *Fake {
	return &Fake{
		calls:   newRecorder(),
		info:    provider.Info{Name: "fake", Version: "1.0"},
		stored:  map[string]*fakeRecord{},
		changed: make(chan struct{}),
	}
}

// SetInfo changes what Info returns.
func (f *Fake) SetInfo(info provider.Info) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.info = info
}

// AddSession stores a session, as if it had been held before.
func (f *Fake) AddSession(workspace string, info provider.SessionInfo, history ...provider.Entry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stored[info.ID] = &fakeRecord{workspace: workspace, info: info, history: history}
}

// On sets the hook of an Op in the place of the one before; nil removes it.
func (f *Fake) On(op Op, h Hook) { f.calls.hook(op, h) }

// Fail makes every later call of an Op return err, until err is nil.
func (f *Fake) Fail(op Op, err error) {
	if err == nil {
		f.On(op, nil)
		return
	}
	f.On(op, func(context.Context, Call) error { return err })
}

// Block makes every later call of an Op wait until release is called, or until
// the call's own context ends. A session's Close has no context: release it.
func (f *Fake) Block(op Op) (release func()) {
	gate := make(chan struct{})
	f.On(op, func(ctx context.Context, _ Call) error {
		select {
		case <-gate:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	return sync.OnceFunc(func() { close(gate) })
}

// Calls returns the calls of an Op in their order; "" means all.
func (f *Fake) Calls(op Op) []Call {
	calls, _ := f.calls.of(op)
	return calls
}

// Count is how many calls of an Op there were.
func (f *Fake) Count(op Op) int { return len(f.Calls(op)) }

// Await waits for the nth call of an Op, counted from 1. The call may still be
// in its hook.
func (f *Fake) Await(ctx context.Context, op Op, n int) (Call, error) {
	return f.calls.await(ctx, op, n)
}

// Opened returns the sessions in the order in which they were opened, closed
// ones too.
func (f *Fake) Opened() []*FakeSession {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]*FakeSession(nil), f.opened...)
}

// AwaitSession waits for the nth session to be opened, counted from 1.
func (f *Fake) AwaitSession(ctx context.Context, n int) (*FakeSession, error) {
	for {
		f.mu.Lock()
		changed := f.changed
		if len(f.opened) >= n {
			defer f.mu.Unlock()
			return f.opened[n-1], nil
		}
		f.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, fmt.Errorf("await session %d: %w", n, ctx.Err())
		}
	}
}

// Info implements provider.Provider.
func (f *Fake) Info() provider.Info {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.info
}

// Sessions implements provider.Provider: the stored ones, newest first.
func (f *Fake) Sessions(ctx context.Context, workspace string) ([]provider.SessionInfo, error) {
	if err := f.calls.enter(ctx, Call{Op: OpSessions, Workspace: workspace}); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, provider.ErrClosed
	}
	var list []provider.SessionInfo
	for _, r := range f.stored {
		if r.workspace == workspace {
			list = append(list, r.info)
		}
	}
	sort.Slice(list, func(i, j int) bool {
		if !list[i].Updated.Equal(list[j].Updated) {
			return list[i].Updated.After(list[j].Updated)
		}
		return list[i].ID > list[j].ID
	})
	return list, nil
}

// Open implements provider.Provider.
func (f *Fake) Open(ctx context.Context, spec provider.Spec) (provider.Session, error) {
	if err := f.calls.enter(ctx, Call{Op: OpOpen, Spec: spec}); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, provider.ErrClosed
	}
	if spec.SessionID != "" && f.stored[spec.SessionID] == nil {
		return nil, provider.ErrNoSession
	}
	s := newFakeSession(f, spec)
	f.opened = append(f.opened, s)
	close(f.changed)
	f.changed = make(chan struct{})
	return s, nil
}

// Close implements provider.Provider. Open and Sessions refuse afterwards.
func (f *Fake) Close() error {
	if err := f.calls.enter(context.Background(), Call{Op: OpProviderClose}); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return nil
}

// record returns what is stored of a session.
func (f *Fake) record(id string) (fakeRecord, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.stored[id]; r != nil {
		return *r, true
	}
	return fakeRecord{}, false
}

// begin stores a new session under the next number.
func (f *Fake) begin(workspace, prompt string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.nextID++
	id := fmt.Sprintf("fake-%d", f.nextID)
	f.stored[id] = &fakeRecord{
		workspace: workspace,
		info:      provider.SessionInfo{ID: id, Title: provider.Title(prompt), Updated: time.Now()},
	}
	return id
}

// keep appends a finished turn to a session's history.
func (f *Fake) keep(id string, entries ...provider.Entry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.stored[id]; r != nil {
		r.history = append(r.history, entries...)
		r.info.Updated = time.Now()
	}
}
