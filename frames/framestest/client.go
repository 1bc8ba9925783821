package framestest

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/prompt64/prompt64/frames"
)

// turnState is where the current prompt stands.
type turnState int

const (
	idle    turnState = iota
	unsent            // typed while the link is down
	sent              // written, its fate unknown
	running           // taken by the bridge
)

// Client is a scripted C64. Its methods may be called from any goroutine; each
// connection has two goroutines of its own, and Close waits for all.
type Client struct {
	cfg    Config
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	attaching chan struct{} // one attach at a time
	requests  chan struct{} // one control request at a time

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced at every change
	link     *link         // nil while the link is down
	retrying bool
	stopped  error // why no link will come by itself

	token     frames.Token
	hasLease  bool
	applied   uint16
	base      uint16 // applied, before the turn's first frame
	caps      frames.Capabilities
	lastState frames.ReconnectState

	turn     turnState
	prompt   string
	end      Entry
	editor   string
	pending  *Ask
	decision *decision
	outcome  Outcome
	cancels  bool // a TurnCancel is open
	releases bool // a SessionRelease is open
	released bool

	req        *request
	unscripted bool // Send was used, or a request given up: who asked is unknown
	transcript Transcript
	errors     []string
	violations []string
	stats      Stats
}

// Stats counts what a Client went through.
type Stats struct {
	Connects int // attachments, the first one too
	Tries    int // tries to attach
	Frames   int // frames received after the greeting
	Dropped  int // frames that were not newer, and so dropped
	Resent   int // prompts, decisions, cancels and releases sent again
}

// New returns a Client that is not connected yet. It panics without a Dial.
func New(cfg Config) *Client {
	if cfg.Dial == nil {
		panic("framestest: Config.Dial is missing")
	}
	c := &Client{
		cfg:       cfg.withDefaults(),
		attaching: make(chan struct{}, 1),
		requests:  make(chan struct{}, 1),
		changed:   make(chan struct{}),
		stopped:   ErrNoLease,
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	if r := cfg.Record; r != nil {
		c.token, c.applied, c.base = r.Token, r.Applied, r.Applied
		c.hasLease, c.stopped = true, nil
	}
	return c
}

// Close drops the connection without a release, as a C64 that is switched off,
// and waits for the client's goroutines.
func (c *Client) Close() {
	c.mu.Lock()
	c.stopped = ErrClosed
	l := c.link
	c.touch()
	c.mu.Unlock()
	c.cancel()
	if l != nil {
		l.drop(ErrClosed)
	}
	c.wg.Wait()
}

// Cut closes the connection at once, as a broken wire does: not one frame more is
// applied. With Retry set the client reconnects by itself. OnFrame may call it.
func (c *Client) Cut() {
	c.mu.Lock()
	l := c.link
	c.mu.Unlock()
	if l != nil {
		l.drop(fmt.Errorf("%w: cut by the test", ErrLinkLost))
	}
}

// touch wakes everyone who waits. It is called with mu held.
func (c *Client) touch() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// wait blocks until ready, called with mu held, reports true or an error.
func (c *Client) wait(ctx context.Context, what string, ready func() (bool, error)) error {
	for {
		c.mu.Lock()
		ok, err := ready()
		changed := c.changed
		c.mu.Unlock()
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("framestest: %s: %w", what, ctx.Err())
		}
	}
}

// hopeless says why nothing more will come from the bridge, or nil if it may. It
// is called with mu held.
func (c *Client) hopeless() error {
	if c.stopped != nil {
		return c.stopped
	}
	if c.link == nil && !c.retrying {
		return ErrLinkLost
	}
	return nil
}

// violate notes what the bridge must not do. It is called with mu held.
func (c *Client) violate(format string, args ...any) {
	v := fmt.Sprintf(format, args...)
	c.violations = append(c.violations, v)
	c.cfg.Logf("violation: %s", v)
}

// unasked notes what nobody asked for, unless Send makes that unknowable.
func (c *Client) unasked(format string, args ...any) {
	if !c.unscripted {
		c.violate(format, args...)
	}
}

// Violations returns what the bridge did that the protocol forbids: a gap in the
// sequences, a frame sent twice, one that cannot be decoded, one that nobody asked
// for, a turn with two ends, a wrong count. A test ends with none. Once Send was
// used the client no longer knows who asked for what, and notes the rest only.
func (c *Client) Violations() []string {
	return locked(c, func() []string { return slices.Clone(c.violations) })
}

// Transcript returns all that the user saw so far.
func (c *Client) Transcript() Transcript {
	return locked(c, func() Transcript { return slices.Clone(c.transcript) })
}

// Errors returns the texts of all Error frames so far, those of the greeting too.
func (c *Client) Errors() []string {
	return locked(c, func() []string { return slices.Clone(c.errors) })
}

// Stats returns the counts so far.
func (c *Client) Stats() Stats { return locked(c, func() Stats { return c.stats }) }

// Capabilities returns the mask of the last HelloOk.
func (c *Client) Capabilities() frames.Capabilities {
	return locked(c, func() frames.Capabilities { return c.caps })
}

// Token returns the lease's token, zero if there is none.
func (c *Client) Token() frames.Token { return locked(c, func() frames.Token { return c.token }) }

// Applied returns the last applied sequence.
func (c *Client) Applied() uint16 { return locked(c, func() uint16 { return c.applied }) }

// Record returns what a restarted program would find in RAM; see Config.Record.
func (c *Client) Record() Record { return locked(c, func() Record { return Record{c.token, c.base} }) }

// Editor returns the prompt that went back to the editor because the bridge
// refused it or the lease expired.
func (c *Client) Editor() string { return locked(c, func() string { return c.editor }) }

// Attached reports whether the link is up and the replay is over.
func (c *Client) Attached() bool {
	return locked(c, func() bool { return c.link != nil && c.link.ready })
}

func locked[T any](c *Client, f func() T) T {
	c.mu.Lock()
	defer c.mu.Unlock()
	return f()
}
