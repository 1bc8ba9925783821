package framestest

import (
	"context"
	"net"
	"testing"
	"time"
)

// A line that is slower than the client's patience is taken up in the end: the
// patience grows with every time-out.
func TestPatienceGrowsUntilASlowLineIsTakenUp(t *testing.T) {
	c := New(Config{
		Dial: func(ctx context.Context) (net.Conn, error) {
			<-ctx.Done() // as slow as a machine that has no time for us
			return nil, ctx.Err()
		},
		Handshake: time.Millisecond,
		Ack:       time.Millisecond,
	})
	defer c.Close()
	waits := []time.Duration{c.patience(time.Millisecond)}
	for range maxStrain + 2 {
		if err := c.Connect(t.Context()); err == nil {
			t.Fatal("connected to nobody")
		}
		waits = append(waits, c.patience(time.Millisecond))
	}
	for i, got := range waits {
		if want := time.Millisecond << min(i, maxStrain); got != want {
			t.Errorf("after %d time-outs a wait of 1 ms lasts %v, want %v", i, got, want)
		}
	}
}
