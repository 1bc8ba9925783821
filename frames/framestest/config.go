package framestest

import (
	"context"
	"net"
	"time"

	"github.com/prompt64/prompt64/frames"
)

// Config says how a Client behaves. Only Dial is needed.
type Config struct {
	// Dial opens a connection to the bridge.
	Dial func(ctx context.Context) (net.Conn, error)
	// Code is the pairing code; empty sends no Pair.
	Code string
	// Prefs are what the user has set; they are sent on every fresh lease. Nil
	// stands for DefaultPrefs.
	Prefs *Prefs
	// Plain makes a plain v2 client: no Pair, no settings on a fresh lease, and
	// decisions without a name.
	Plain bool
	// Record, if set, is what a restarted program found in RAM: Reconnect takes
	// that lease up.
	Record *Record
	// Retry is the pause between two tries to reconnect; zero never reconnects by
	// itself. The C64 program's is frames.ReconnectIntervalMS.
	Retry time.Duration
	// Quiet, Idle and Ack are the heartbeat's times: silence during a turn,
	// silence outside one, and the wait for the acknowledgement. Zero is the
	// protocol's number; a negative Quiet sends no heartbeat by itself.
	Quiet, Idle, Ack time.Duration
	// Handshake bounds Hello to the lease, and Write one write. Zero is 10 s and 5 s.
	// Each time-out of Ack or Handshake doubles both, up to 64 times.
	Handshake, Write time.Duration
	// OnFrame, if set, is told every message, applied or not, in the order of
	// arrival, on the reading goroutine. The message is good during the call.
	OnFrame func(frames.Message)
	// Logf, if set, is told what the client does; testing.T's Logf fits as long
	// as Close comes before the end of the test.
	Logf func(format string, args ...any)
}

// Prefs are the values that a user has set.
type Prefs struct {
	Reasoning frames.Reasoning
	Display   uint8
	Access    frames.Access
	Workspace string
}

// DefaultPrefs are those of a program that was never used.
func DefaultPrefs() *Prefs {
	return &Prefs{Reasoning: frames.ReasoningSummary, Access: frames.AccessAsk}
}

// Record is what survives a reset of the C64 in RAM. Applied is the sequence as
// it stood before the current turn's first frame, so that the whole turn comes
// again.
type Record struct {
	Token   frames.Token
	Applied uint16
}

func (c Config) withDefaults() Config {
	if c.Prefs == nil {
		c.Prefs = DefaultPrefs()
	}
	for _, d := range []struct {
		at  *time.Duration
		def time.Duration
	}{
		{&c.Quiet, frames.HeartbeatQuietMS * time.Millisecond},
		{&c.Idle, frames.HeartbeatIdleMS * time.Millisecond},
		{&c.Ack, frames.HeartbeatAckMS * time.Millisecond},
		{&c.Handshake, 10 * time.Second},
		{&c.Write, 5 * time.Second},
	} {
		if *d.at == 0 {
			*d.at = d.def
		}
	}
	if c.Logf == nil {
		c.Logf = func(string, ...any) {}
	}
	return c
}
