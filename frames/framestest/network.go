package framestest

import (
	"context"
	"math/rand/v2"
	"net"
	"sync"
	"syscall"
	"time"
)

// How says how a connection ends.
type How int

// The ways a connection can end.
const (
	NoCut     How = iota
	BlackHole     // nothing arrives any more, in either direction, and no one is told
	Reset         // both ends get a reset (over TCP; a net.Pipe is closed)
	Hangup        // a plain close
)

// String implements fmt.Stringer.
func (h How) String() string { return [...]string{"no cut", "black hole", "reset", "hangup"}[h] }

// Cut ends a connection once exactly After bytes went one way.
type Cut struct {
	How   How
	After int64
}

// Plan is what one connection does wrong. The zero Plan is a good wire.
type Plan struct {
	Refuse   float64       // chance that the dial is refused
	Reset    float64       // chance, at each read and write, of a reset
	Partial  float64       // chance, at each write, that a part goes out and then a reset comes
	Stall    float64       // chance, at each read and write, to sleep StallFor before
	StallFor time.Duration // default 1 ms
	Slice    int           // at most so many bytes a read or write; 0 is no limit
	CutRead  Cut           // counts what the wrapped end reads
	CutWrite Cut           // counts what it writes
}

// Network wraps connections so that they misbehave by a plan. Its choices come
// from the seed, for each connection and direction on its own, so they do not
// depend on how goroutines interleave.
//
// It does not reach below net.Conn: behind a black hole the kernel goes on
// acknowledging bytes until its buffers are full.
type Network struct {
	seed uint64
	plan func(n int) Plan

	mu    sync.Mutex
	count int
	conns []*Conn
}

// NewNetwork returns a Network; plan is asked for each connection, counted from
// 0. A nil plan makes good wires, which CutAll can cut.
func NewNetwork(seed uint64, plan func(n int) Plan) *Network {
	if plan == nil {
		plan = func(int) Plan { return Plan{} }
	}
	return &Network{seed: seed, plan: plan}
}

// Always is a plan that is the same for every connection.
func Always(p Plan) func(int) Plan { return func(int) Plan { return p } }

// Once is p for the first connection and a good wire for all others.
func Once(p Plan) func(int) Plan {
	return func(n int) Plan {
		if n == 0 {
			return p
		}
		return Plan{}
	}
}

// next draws the next connection's number, plan and sources of chance.
func (n *Network) next() *Conn {
	n.mu.Lock()
	i := n.count
	n.count++
	n.mu.Unlock()
	source := func(lane int) *rand.Rand { return rand.New(rand.NewPCG(n.seed, uint64(2*i+lane))) }
	c := &Conn{plan: n.plan(i), closed: make(chan struct{})}
	c.in.rand, c.out.rand = source(0), source(1)
	c.in.deadline.changed, c.out.deadline.changed = make(chan struct{}), make(chan struct{})
	if c.plan.StallFor == 0 {
		c.plan.StallFor = time.Millisecond
	}
	return c
}

// refused draws whether the connection comes to be at all.
func (c *Conn) refused() bool { return c.in.rand.Float64() < c.plan.Refuse }

// Wrap makes conn misbehave. It never refuses.
func (n *Network) Wrap(conn net.Conn) *Conn { return n.adopt(n.next(), conn) }

func (n *Network) adopt(c *Conn, conn net.Conn) *Conn {
	c.Conn = conn
	n.mu.Lock()
	n.conns = append(n.conns, c)
	n.mu.Unlock()
	for _, cut := range []Cut{c.plan.CutRead, c.plan.CutWrite} {
		if cut.How != NoCut && cut.After <= 0 {
			c.Cut(cut.How)
		}
	}
	return c
}

// Dial wraps dial, for Config.Dial.
func (n *Network) Dial(dial func(context.Context) (net.Conn, error)) func(context.Context) (net.Conn, error) {
	return func(ctx context.Context) (net.Conn, error) {
		c := n.next()
		if c.refused() {
			return nil, &net.OpError{Op: "dial", Net: "flaky", Err: syscall.ECONNREFUSED}
		}
		conn, err := dial(ctx)
		if err != nil {
			return nil, err
		}
		return n.adopt(c, conn), nil
	}
}

// DialTCP is Dial to a TCP address.
func (n *Network) DialTCP(addr string) func(context.Context) (net.Conn, error) {
	return n.Dial(func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", addr)
	})
}

// Listen wraps a listener: each accepted connection misbehaves, and a refused one
// is reset at once.
func (n *Network) Listen(ln net.Listener) net.Listener { return &listener{ln, n} }

type listener struct {
	net.Listener
	n *Network
}

func (l *listener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := l.n.next()
		if !c.refused() {
			return l.n.adopt(c, conn), nil
		}
		reset(conn)
	}
}

// CutAll cuts every connection that is still good, now.
func (n *Network) CutAll(how How) {
	for _, c := range n.Conns() {
		c.Cut(how)
	}
}

// Conns returns all connections so far, those that were refused left out.
func (n *Network) Conns() []*Conn {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]*Conn(nil), n.conns...)
}

// Close really closes every connection, also those that a black hole keeps open
// for the other end.
func (n *Network) Close() {
	for _, c := range n.Conns() {
		_ = c.Close()      // a black hole keeps the wire
		_ = c.Conn.Close() // this does not
	}
}

var _ net.Listener = (*listener)(nil)
