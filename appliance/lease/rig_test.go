package lease

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/appliance/workspace"
	"github.com/prompt64/prompt64/frames"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// rig is a table with a provider moved by hand, in a bubble of fake time.
type rig struct {
	t     *testing.T
	table *Table
	agent *providertest.Fake
	ws    *fakeWorkspaces
	gates []chan struct{} // of slow C64s
}

// bubble runs f with a rig in fake time and closes the table at its end.
func bubble(t *testing.T, f func(r *rig), change ...func(*Config)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{t: t, agent: providertest.NewFake(), ws: newFakeWorkspaces()}
		cfg := Config{Provider: r.agent, Workspaces: r.ws}
		for _, c := range change {
			c(&cfg)
		}
		r.table = NewTable(cfg)
		defer func() {
			for _, gate := range r.gates {
				close(gate)
			}
			if err := r.table.Close(context.Background()); err != nil {
				t.Error(err)
			}
		}()
		f(r)
	})
}

// session waits for the nth session that was opened.
func (r *rig) session(n int) *providertest.FakeSession {
	r.t.Helper()
	synctest.Wait()
	opened := r.agent.Opened()
	if len(opened) < n {
		r.t.Fatalf("%d sessions opened, want %d", len(opened), n)
	}
	return opened[n-1]
}

// working is bubble with a C64 whose first prompt, "go", the agent works on.
func working(t *testing.T, f func(r *rig, c *c64, s *providertest.FakeSession)) {
	t.Helper()
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		f(r, c, r.session(1))
	})
}

// testLink is a connection without bytes.
type testLink struct {
	mu     sync.Mutex
	addr   string
	stale  bool
	quiet  time.Duration
	killed int
}

var _ Link = (*testLink)(nil)

func (l *testLink) Addr() string { return l.addr }

func (l *testLink) Stale() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stale
}

func (l *testLink) Quiet() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.quiet
}

func (l *testLink) Kill() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.killed++
}

func (l *testLink) silent(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stale, l.quiet = true, d
}

func (l *testLink) wasKilled() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.killed > 0
}

// c64 is one connection of a C64: its writer runs in a goroutine and keeps what
// it was given.
type c64 struct {
	t    *testing.T
	att  *Attachment
	link *testLink

	mu   sync.Mutex
	gate chan struct{} // not nil: the writer takes one token a frame
	got  []frames.Message
	err  error
}

// dial is get with the default address.
func (r *rig) dial() *c64 { return r.from("10.0.0.1") }

// from gets a fresh lease from an address.
func (r *rig) from(addr string) *c64 {
	r.t.Helper()
	link := &testLink{addr: addr}
	att, err := r.table.Get(link)
	if err != nil {
		r.t.Fatal(err)
	}
	return r.serve(att, link, nil)
}

// back reconnects as the C64 that held old, which applied a sequence.
func (r *rig) back(old *c64, applied uint16) *c64 {
	r.t.Helper()
	c, err := r.tryBack(old, applied)
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

func (r *rig) tryBack(old *c64, applied uint16) (*c64, error) {
	link := &testLink{addr: old.link.addr}
	att, err := r.table.Reconnect(old.att.Token(), applied, link)
	if err != nil {
		return nil, err
	}
	return r.serve(att, link, nil), nil
}

// slow is a C64 that reads nothing until it is told to.
func (r *rig) slow() *c64 {
	r.t.Helper()
	link := &testLink{addr: "10.0.0.2"}
	att, err := r.table.Get(link)
	if err != nil {
		r.t.Fatal(err)
	}
	return r.serve(att, link, make(chan struct{}, 1<<16))
}

func (r *rig) serve(att *Attachment, link *testLink, gate chan struct{}) *c64 {
	c := &c64{t: r.t, att: att, link: link, gate: gate}
	if gate != nil {
		r.gates = append(r.gates, gate)
	}
	go c.write()
	synctest.Wait()
	return c
}

// write is the connection's writer.
func (c *c64) write() {
	buf := make([]byte, 0, frames.MaxFrameToC64)
	for {
		out, err := c.att.Next(buf[:0])
		if err != nil {
			c.mu.Lock()
			c.err = err
			c.mu.Unlock()
			return
		}
		m, err := decodeToC64(out)
		c.mu.Lock()
		if err != nil {
			c.t.Errorf("bad frame % x: %v", out, err)
		} else {
			c.got = append(c.got, m)
		}
		c.mu.Unlock()
		if c.gate != nil {
			<-c.gate
		}
	}
}

// read lets a slow C64 take n frames more.
func (c *c64) read(n int) {
	for range n {
		c.gate <- struct{}{}
	}
	synctest.Wait()
}

// decodeToC64 reads one frame with its header, and keeps its own bytes.
func decodeToC64(b []byte) (frames.Message, error) {
	b = slices.Clone(b)
	if n := int(b[2]) | int(b[3])<<8; len(b) != frames.HeaderSize+n {
		return nil, fmt.Errorf("%d bytes with a length of %d", len(b), n)
	}
	return frames.Decode(frames.ToC64, frames.Frame{
		Type: frames.Type(b[0]), Flags: b[1], Payload: b[frames.HeaderSize:],
	})
}

// send hands a message over and waits until everything has come to rest.
func (c *c64) send(m frames.Message) {
	c.t.Helper()
	if err := c.push(m); err != nil {
		c.t.Fatalf("request %v: %v", m.Type(), err)
	}
	synctest.Wait()
}

// push hands a message over without waiting.
func (c *c64) push(m frames.Message) error {
	b := m.AppendTo(nil)
	return c.att.Request(frames.Frame{Type: frames.Type(b[0]), Flags: b[1], Payload: b[frames.HeaderSize:]})
}

func (c *c64) prompt(text string) { c.t.Helper(); c.send(frames.UserText{Text: []byte(text)}) }

// cut is a failure of the transport.
func (c *c64) cut() {
	c.att.Detach()
	synctest.Wait()
}

// take returns what came since the last take.
func (c *c64) take() []frames.Message {
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	got := c.got
	c.got = nil
	return got
}

// ended is the error that ended the writer, nil while it lives.
func (c *c64) ended() error {
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// only returns the messages of type M.
func only[M frames.Message](all []frames.Message) []M {
	var out []M
	for _, m := range all {
		if m, ok := m.(M); ok {
			out = append(out, m)
		}
	}
	return out
}

// one returns the single message of type M.
func single[M frames.Message](t *testing.T, all []frames.Message) M {
	t.Helper()
	found := only[M](all)
	if len(found) != 1 {
		t.Fatalf("%d of %T in %s", len(found), *new(M), show(all))
	}
	return found[0]
}

// prose joins the answer's deltas.
func prose(all []frames.Message) string {
	s := ""
	for _, d := range only[frames.AssistantDelta](all) {
		s += string(d.Text)
	}
	return s
}

// show is a short form for messages of failed tests.
func show(all []frames.Message) string {
	s := ""
	for i, m := range all {
		if i > 30 {
			return s + fmt.Sprintf("\n  and %d more", len(all)-i)
		}
		switch m := m.(type) {
		case frames.AssistantDelta:
			s += fmt.Sprintf("\n  %d AssistantDelta %q", m.Seq, m.Text)
		case frames.Error:
			s += fmt.Sprintf("\n  Error %q", m.Text)
		case frames.TurnFailed:
			s += fmt.Sprintf("\n  %d TurnFailed %q", m.Seq, m.Summary)
		default:
			s += fmt.Sprintf("\n  %T %+v", m, m)
		}
	}
	return s
}

// refusal is the text of the single Error among all.
func refusal(t *testing.T, all []frames.Message) string {
	t.Helper()
	return string(single[frames.Error](t, all).Text)
}

// refused fails unless what came since the last look is one refusal in these words.
func (c *c64) refused(words string) {
	c.t.Helper()
	if e := refusal(c.t, c.take()); e != words {
		c.t.Errorf("refused with %q, want %q", e, words)
	}
}

// sequences are those of the asynchronous frames among all.
func sequences(all []frames.Message) []uint16 {
	var out []uint16
	for _, m := range all {
		b := m.AppendTo(nil)
		if seq, ok := frames.Sequence(frames.Frame{Type: m.Type(), Payload: b[frames.HeaderSize:]}); ok {
			out = append(out, seq)
		}
	}
	return out
}

// fakeWorkspaces is a tree in memory.
type fakeWorkspaces struct {
	mu      sync.Mutex
	folders map[string][]workspace.Entry
	sum     workspace.Summary
	err     error
	snap    Snapshot
	block   chan struct{} // not nil: everything waits for it
}

func newFakeWorkspaces() *fakeWorkspaces {
	return &fakeWorkspaces{folders: map[string][]workspace.Entry{
		"":        {{Name: "game", Git: true}, {Name: "notes"}},
		"game":    {{Name: "src"}},
		"notes":   nil,
		"deep/ly": nil,
	}}
}

func (w *fakeWorkspaces) change(f func(w *fakeWorkspaces)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f(w)
}

func (w *fakeWorkspaces) wait(ctx context.Context) error {
	w.mu.Lock()
	block := w.block
	w.mu.Unlock()
	if block == nil {
		return nil
	}
	select {
	case <-block:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *fakeWorkspaces) Resolve(path string) (workspace.Folder, error) {
	if path != "" {
		_ = w.wait(context.Background())
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.folders[path]; !ok {
		return workspace.Folder{}, workspace.ErrNotFound
	}
	return workspace.Folder{Rel: path, Abs: "/root/" + path}, nil
}

func (w *fakeWorkspaces) List(path string) ([]workspace.Entry, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	list, ok := w.folders[path]
	if !ok {
		return nil, workspace.ErrNotFound
	}
	return list, nil
}

func (w *fakeWorkspaces) Summary(ctx context.Context, _ workspace.Folder) (workspace.Summary, error) {
	if err := w.wait(ctx); err != nil {
		return workspace.Summary{}, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sum, w.err
}

func (w *fakeWorkspaces) Changes(ctx context.Context, _ workspace.Folder) (Snapshot, error) {
	if err := w.wait(ctx); err != nil {
		return Snapshot{}, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.snap, w.err
}

// end is the end of a turn that went well.
func end(s *providertest.FakeSession) {
	s.End(provider.EndDone, "")
	synctest.Wait()
}

// isErr fails unless err is want.
func isErr(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error is %v, want %v", err, want)
	}
}
