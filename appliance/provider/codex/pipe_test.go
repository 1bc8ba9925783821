package codex

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/codex/codextest"
	"github.com/prompt64/prompt64/frames"
)

// patience ends what hangs; no outcome depends on it otherwise.
const patience = 3 * time.Minute

// pipe is a transport to something in the same process.
type pipe struct {
	streams
	r      *io.PipeReader
	served *sync.WaitGroup
}

func (p pipe) end()             { p.kill(); p.served.Wait() }
func (p pipe) kill()            { _ = p.w.Close(); _ = p.r.CloseWithError(io.EOF) }
func (p pipe) why(error) string { return "codex ended: out of cheese" }

// app is something that serves the protocol.
type app interface {
	Serve(r io.Reader, w io.WriteCloser) error
}

// pipeTo makes the way to a server.
func pipeTo(s app) func(context.Context) (transport, error) {
	return func(context.Context) (transport, error) {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		served := &sync.WaitGroup{}
		served.Go(func() { _ = s.Serve(inR, outW); _ = inR.Close() })
		return pipe{streams: newStreams(outR, inW), r: outR, served: served}, nil
	}
}

// stage is a provider over a pretending server, with one session.
type stage struct {
	t *testing.T
	*codextest.Server
	p *Provider
	s provider.Session
}

// newStage opens a session; change may change the configuration.
func newStage(t *testing.T, change ...func(*Config)) *stage {
	t.Helper()
	st := &stage{t: t, Server: &codextest.Server{Home: t.TempDir()}}
	st.p = newPipeProvider(t, st.Server, change...)
	st.s = st.open(provider.Spec{Workspace: t.TempDir(), Access: frames.AccessAsk})
	return st
}

func newPipeProvider(t *testing.T, s app, change ...func(*Config)) *Provider {
	t.Helper()
	cfg := Config{DataDir: t.TempDir()}
	for _, c := range change {
		c(&cfg)
	}
	cfg, err := cfg.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	p := newProvider(cfg)
	p.dial = pipeTo(s)
	t.Cleanup(func() {
		_ = p.Close()
		if pretended, ok := s.(*codextest.Server); ok {
			pretended.Wait() // before its Home is removed
		}
	})
	return p
}

func (st *stage) open(spec provider.Spec) provider.Session {
	st.t.Helper()
	s, err := st.p.Open(st.t.Context(), spec)
	if err != nil {
		st.t.Fatal(err)
	}
	return s
}

// close ends all, for a test that must not outlive its bubble.
func (st *stage) close() { _ = st.p.Close() }

// start begins a turn.
func (st *stage) start(prompt string, opts provider.TurnOptions) {
	st.t.Helper()
	if err := st.s.Start(st.t.Context(), prompt, opts); err != nil {
		st.t.Fatal(err)
	}
}

var asking = provider.TurnOptions{Access: frames.AccessAsk, Reasoning: frames.ReasoningSummary}

// play runs a turn; each approval gets the next decision, a decline at last.
func (st *stage) play(prompt string, decisions ...frames.Decision) []provider.Event {
	st.t.Helper()
	st.start(prompt, asking)
	return st.finish(decisions...)
}

// finish reads to the end of the turn.
func (st *stage) finish(decisions ...frames.Decision) []provider.Event {
	st.t.Helper()
	var all []provider.Event
	for {
		ev := st.next()
		all = append(all, ev)
		switch e := ev.(type) {
		case provider.ApprovalEvent:
			d := frames.Decline
			if len(decisions) > 0 {
				d, decisions = decisions[0], decisions[1:]
			}
			if err := st.s.Decide(st.t.Context(), e.ID, d); err != nil {
				st.t.Fatal(err)
			}
		case provider.EndEvent:
			return all
		}
	}
}

// next is the next event.
func (st *stage) next() provider.Event {
	st.t.Helper()
	timeout := time.NewTimer(10 * time.Minute) // in a bubble an hour is short
	defer timeout.Stop()
	select {
	case ev, ok := <-st.s.Events():
		if !ok {
			st.t.Fatal("the channel was closed")
		}
		return ev
	case <-timeout.C:
		st.t.Fatal("no event came")
	}
	return nil
}

// await reads to the first event of a type.
func await[E provider.Event](st *stage) E {
	st.t.Helper()
	for {
		ev := st.next()
		if e, ok := ev.(E); ok {
			return e
		}
		if end, ok := ev.(provider.EndEvent); ok {
			st.t.Fatalf("the turn ended as %+v", end)
		}
	}
}

func of[E provider.Event](all []provider.Event) []E {
	var found []E
	for _, ev := range all {
		if e, ok := ev.(E); ok {
			found = append(found, e)
		}
	}
	return found
}

// saying joins the answer.
func saying(all []provider.Event) string {
	var b strings.Builder
	for _, e := range of[provider.TextEvent](all) {
		b.WriteString(e.Text)
	}
	return b.String()
}

// endOf is the turn's end.
func endOf(all []provider.Event) provider.EndEvent { return all[len(all)-1].(provider.EndEvent) }

// labels are the activities by how they ended.
func labels(all []provider.Event, l frames.Lifecycle) []string {
	var found []string
	for _, e := range of[provider.ActivityEvent](all) {
		if e.Lifecycle == l {
			found = append(found, e.Label)
		}
	}
	return found
}
