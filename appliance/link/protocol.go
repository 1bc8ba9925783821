package link

import "time"

// The protocol's numbers. What is this package's own choice is in tuning.go.
const (
	// Version is the link version that an OPEN carries.
	Version = 1
	// MaxData is how many stream bytes a DATA carries at most.
	MaxData = 128
	// MinPacket and MaxPacket bound a packet before escaping, with its check.
	MinPacket = 4
	MaxPacket = 136
	// DefaultBaud is the line's speed where none is set.
	DefaultBaud = 38400
)

// Bytes of the framing.
const (
	flag   = 0x7e
	escape = 0x7d
	flip   = 0x20 // XORed into an escaped byte
	xon    = 0x11
	xoff   = 0x13
)

// window is how many DATA may be outstanding in one direction.
const window = 2

// The protocol's times.
const (
	resendBase  = 300 * time.Millisecond // and two full packets on the wire
	pingAfter   = 5 * time.Second
	silentDeath = 15 * time.Second
)

// Bauds are the speeds that a line may have.
func Bauds() []int { return []int{2400, 4800, 9600, 19200, 38400, 57600, 115200} }

// WireTime is how long n bytes take at a speed: a start and a stop bit each.
func WireTime(n, baud int) time.Duration {
	return time.Duration(n) * 10 * time.Second / time.Duration(baud)
}

// ResendAfter is how long a DATA may stay without an answer at a speed.
func ResendAfter(baud int) time.Duration {
	const full = MaxPacket + 2 // and its two flags
	return resendBase + WireTime(2*full, baud)
}
