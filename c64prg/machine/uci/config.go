package uci

import (
	"context"
	"net"
	"time"
)

// Interface is one network interface as the firmware reports it.
type Interface struct {
	IP, Mask, Gateway [4]byte
	MAC               [6]byte
	Unavailable       bool // asked for its address it answers status 83
}

// Config sets a device up. The zero value is the newest firmware with one
// interface that dials for real.
type Config struct {
	Hz      uint64  // cycles a second; the machine fills it in
	Profile Profile // the newest when it has no name

	// Dial opens the connections; net.Dialer's DialContext when nil.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Resolve looks names up; the system's resolver when nil.
	Resolve func(ctx context.Context, host string) ([]string, error)

	Interfaces []Interface   // {192.168.1.64} when empty
	Foreign    []int         // socket numbers that FTP, HTTP and others hold
	TurnAround time.Duration // from PUSH to the answer; 400 us when zero
	SendBuffer int           // bytes that a WRITE can queue; 16384 when zero

	// Violate takes breaches of the hardware's rules, such as a command pushed
	// while another runs.
	Violate func(what string)
}

// DefaultInterface is the interface of a device that has just one.
var DefaultInterface = Interface{
	IP: [4]byte{192, 168, 1, 64}, Mask: [4]byte{255, 255, 255, 0}, Gateway: [4]byte{192, 168, 1, 1},
	MAC: [6]byte{0x02, 0x15, 0x41, 0x55, 0x4c, 0x54},
}

func (c *Config) fill() {
	if c.Hz == 0 {
		c.Hz = 985248
	}
	if c.Profile.Name == "" {
		c.Profile = profiles[len(profiles)-1]
	}
	if c.Dial == nil {
		c.Dial = (&net.Dialer{}).DialContext
	}
	if c.Resolve == nil {
		c.Resolve = net.DefaultResolver.LookupHost
	}
	if len(c.Interfaces) == 0 {
		c.Interfaces = []Interface{DefaultInterface}
	}
	if c.TurnAround == 0 {
		c.TurnAround = 400 * time.Microsecond
	}
	if c.SendBuffer == 0 {
		c.SendBuffer = 16384
	}
	if c.Violate == nil {
		c.Violate = func(string) {}
	}
}

// The firmware's own times.
const (
	pollEvery    = 100 * time.Microsecond // how often a waiting command looks again
	settle       = 60 * time.Microsecond  // between CMD_BUSY and STATE
	abortTime    = 150 * time.Microsecond
	connectGives = 19 * time.Second        // six SYNs without an answer
	resolveGives = 7 * time.Second         // one name server without an answer
	giveUp       = 5 * time.Minute         // retransmissions into a dead line
	window       = 7300                    // receive window
	answerWindow = 2500 * time.Millisecond // how long a WRITE may expect an answer
	maxSockets   = 16
)

// newlib's error numbers, as they show in status texts.
const (
	eBADF        = 9
	eAGAIN       = 11
	eCONNRESET   = 104
	eCONNABORTED = 113
	eHOSTUNREACH = 118
	eNOTCONN     = 128
)
