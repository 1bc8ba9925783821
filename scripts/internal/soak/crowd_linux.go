package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/link/linktest"
	"github.com/prompt64/prompt64/frames/framestest"
)

// How many C64s there are, and how long one waits for anything.
const (
	overNetwork = 3
	patience    = 2 * time.Minute
	pauseMax    = 6 * time.Second // before the next one: a bridge forgets the oldest of many that left
)

// tally is what the C64s did.
type tally struct {
	leases, turns, cuts, troubles atomic.Int64
	mu                            sync.Mutex
	violations                    []string
}

func (t *tally) String() string {
	return fmt.Sprintf("%d leases, %d turns, %d cuts, %d attempts that failed", t.leases.Load(), t.turns.Load(), t.cuts.Load(), t.troubles.Load())
}

// crowd lets C64s come and go for a while. What the bridge must never do is an
// error, and so is a way in on which nothing went through.
func crowd(ctx context.Context, b *bridge, d time.Duration, seed uint64) (*tally, error) {
	t := &tally{}
	end := time.Now().Add(d)
	var group sync.WaitGroup
	quiet := make([]bool, overNetwork+1)
	for n := range overNetwork + 1 {
		dial := func(ctx context.Context) (net.Conn, error) {
			var dialer net.Dialer
			return dialer.DialContext(ctx, "tcp", b.addr)
		}
		if n == overNetwork {
			dial = serialDial(b.pty, seed)
		}
		group.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(n)))
			quiet[n] = true
			for time.Now().Before(end) && ctx.Err() == nil {
				if err := visit(ctx, t, r, dial); err != nil {
					t.troubles.Add(1)
					fmt.Printf("C64 %d: %v\n", n, err)
				} else {
					quiet[n] = false
				}
				pause(ctx, time.Duration(r.Int64N(int64(pauseMax))))
			}
		})
	}
	group.Wait()
	for n, q := range quiet {
		if q && ctx.Err() == nil {
			return t, fmt.Errorf("C64 %d (of %d, the last is the serial one) never had a whole conversation", n, overNetwork+1)
		}
	}
	if len(t.violations) > 0 {
		return t, fmt.Errorf("the bridge broke the protocol: %q", t.violations)
	}
	return t, ctx.Err()
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// serialDial connects over the one line, which is bad, and stays when a C64 goes.
func serialDial(pty *linktest.Pty, seed uint64) func(context.Context) (net.Conn, error) {
	return func(ctx context.Context) (net.Conn, error) {
		seed++
		return linktest.Dial(ctx, &lent{Port: linktest.Noisy(pty, linktest.Rough, seed)}, linktest.Config{Baud: 115200})
	}
}

// lent is a port that outlives the connection over it.
type lent struct {
	link.Port
	closed atomic.Bool
}

// Read fails once the port was given back.
func (l *lent) Read(p []byte) (int, error) {
	if l.closed.Load() {
		return 0, net.ErrClosed
	}
	return l.Port.Read(p)
}

// Close gives the port back.
func (l *lent) Close() error {
	l.closed.Store(true)
	return nil
}

// visit is one C64 from its start to its end, with cuts in between. Every other
// one leaves without a word.
func visit(ctx context.Context, t *tally, r *rand.Rand, dial func(context.Context) (net.Conn, error)) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	prefs := framestest.DefaultPrefs()
	prefs.Workspace = "welcome"
	c := framestest.New(framestest.Config{Dial: dial, Prefs: prefs, Retry: 200 * time.Millisecond})
	defer func() {
		c.Close()
		t.mu.Lock()
		defer t.mu.Unlock()
		t.violations = append(t.violations, c.Violations()...)
	}()
	if err := c.Connect(ctx); err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	t.leases.Add(1)
	for range 1 + r.IntN(3) {
		cut := time.AfterFunc(time.Duration(r.IntN(400))*time.Millisecond, func() {
			t.cuts.Add(1)
			c.Cut()
		})
		_, err := c.Turn(ctx, fmt.Sprintf("/stream %d", 100+r.IntN(4000)))
		cut.Stop()
		if err == nil {
			err = c.WaitAttached(ctx)
		}
		if err != nil {
			return fmt.Errorf("turn: %w", err)
		}
		t.turns.Add(1)
	}
	if r.IntN(2) == 0 {
		return c.Release(ctx)
	}
	return nil
}
