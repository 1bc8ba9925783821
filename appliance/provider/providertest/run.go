package providertest

import (
	"context"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// bench is what one subtest gets: a world, its provider, and the harness.
type bench struct {
	Harness
	t     *testing.T
	ctx   context.Context
	world World
	p     provider.Provider
}

// promise is one subtest.
type promise struct {
	name  string
	needs []Feature
	keep  func(*bench)
}

// promises are those of all the groups.
func promises() []promise {
	return slices.Concat(turnPromises, reasoningPromises, approvalPromises, accessPromises,
		cancelPromises, faultPromises, closePromises, storePromises, loadPromises)
}

// Run holds a provider to the rules of package provider, one subtest for each
// promise. Subtests do not run in parallel, as each looks for goroutines that
// were left behind.
func Run(t *testing.T, h Harness) {
	t.Helper()
	h.check(t)
	for _, p := range promises() {
		t.Run(p.name, func(t *testing.T) {
			if h.leaves(p) {
				t.Skip("this agent is slow: set PROMPT64_LONG=1")
			}
			for _, f := range p.needs {
				if why, lacks := h.Lacks[f]; lacks {
					t.Skipf("declared: this agent lacks %s: %s", f, why)
				}
			}
			runPromise(t, h, p)
		})
	}
}

// runPromise gives a subtest its world and takes it away again.
func runPromise(t *testing.T, h Harness, p promise) {
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { leaks.None(t, before) })
	ctx, stop := context.WithTimeout(context.Background(), patience)
	t.Cleanup(stop)
	b := &bench{Harness: h, t: t, ctx: ctx, world: h.Setup(t)}
	b.begin()
	t.Cleanup(func() { b.end() })
	p.keep(b)
}

// begin makes the provider.
func (b *bench) begin() {
	b.t.Helper()
	p, err := b.world.New()
	if err != nil {
		b.t.Fatalf("New: %v", err)
	}
	b.p = p
}

// end closes the provider.
func (b *bench) end() {
	b.t.Helper()
	within(b.t, "Provider.Close", b.p.Close)
}

// lacks reports whether a feature was declared as lacking.
func (b *bench) lacks(f Feature) bool {
	_, lacks := b.Lacks[f]
	return lacks
}

// open opens a session, and listens to it. It is closed with the subtest.
func (b *bench) open(spec provider.Spec) *conversation {
	b.t.Helper()
	c := b.openDeaf(spec)
	c.listen()
	return c
}

// openNew opens a new session in the first workspace.
func (b *bench) openNew() *conversation {
	b.t.Helper()
	return b.open(provider.Spec{Workspace: b.world.Workspace, Access: frames.AccessAsk})
}

// openDeaf opens a session that nobody reads.
func (b *bench) openDeaf(spec provider.Spec) *conversation {
	b.t.Helper()
	s, err := b.p.Open(b.ctx, spec)
	if err != nil {
		b.t.Fatalf("Open(%+v): %v", spec, err)
	}
	b.t.Cleanup(func() { within(b.t, "Close", s.Close) })
	return &conversation{t: b.t, ctx: b.ctx, s: s, changed: make(chan struct{})}
}

// resume opens a stored session of the first workspace.
func (b *bench) resume(id string) *conversation {
	b.t.Helper()
	return b.open(provider.Spec{Workspace: b.world.Workspace, SessionID: id, Access: frames.AccessAsk})
}

// acts are the prompts that ask an approval, by its kind, as far as the agent
// has them.
func (b *bench) acts() map[frames.ApprovalKind]string {
	acts := map[frames.ApprovalKind]string{}
	if !b.lacks(CommandApproval) {
		acts[frames.KindCommand] = b.Prompts.Command
	}
	if !b.lacks(FileApproval) {
		acts[frames.KindFile] = b.Prompts.File
	}
	return acts
}

// kindName names a subtest.
func kindName(kind frames.ApprovalKind) string {
	if kind == frames.KindFile {
		return "file"
	}
	return "command"
}

// wantEffects checks how often the agent really acted.
func (b *bench) wantEffects(kind frames.ApprovalKind, want int) {
	b.t.Helper()
	if got := b.world.Effects(kind); got != want {
		b.t.Errorf("the agent acted %d times (%s), want %d", got, kindName(kind), want)
	}
}
