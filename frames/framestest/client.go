package framestest

import (
	"context"
	"fmt"
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
	strain   uint  // time-outs so far; see strain.go

	token     frames.Token
	hasLease  bool
	prefsDue  bool // the lease does not know all of the user's settings yet
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
