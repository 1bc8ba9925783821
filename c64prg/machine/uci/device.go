package uci

import (
	"context"
	"sync"
	"time"
)

// State of the interface as bits 5 and 4 of the status show it.
const (
	stateIdle = iota
	stateBusy
	stateLast
	stateMore
)

// Bits of the control register.
const (
	ctlPush  = 1 << 0
	ctlAck   = 1 << 1
	ctlAbort = 1 << 2
	ctlClear = 1 << 3
	ctlIRQ   = 1 << 5
	ctlDMA   = 3 << 6
)

// event is something that the firmware does at a time.
type event struct {
	at uint64
	do func(now uint64)
}

// Device is the interface and the firmware behind it.
type Device struct {
	cfg    Config
	events []event

	cmd          [queueSize]byte
	cmdLen       int
	resp, text   []byte
	respAt       int
	textAt       int
	more         [][]byte // blocks that follow
	moreText     string
	state        byte
	busy, failed bool
	aborting     bool
	acking       bool
	executing    bool
	clearing     bool // old firmware: CMD_BUSY is about to fall
	irqWanted    bool
	irq          bool

	run     op // command in execution
	noReply bool
	began   uint64 // when it was pushed
	waits   bool   // run waits for the outside
	isRead  bool   // and it is a READ
	socks   [maxSockets]*sock
	newest  *sock
	foreign [maxSockets]bool
	faults  faults

	wake   chan struct{}
	timer  *time.Timer
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup
	ghosts []*conn
	inAir  <-chan dialed // a connection attempt whose end nobody took yet
}

// reply is the answer to a command.
type reply struct {
	data   []byte
	more   [][]byte
	status string
}

// op is a command in execution; it is asked again until it is done.
type op func(now uint64) (reply, bool)

// New makes a device, switched on and idle.
func New(cfg Config) *Device {
	cfg.fill()
	d := &Device{cfg: cfg, wake: make(chan struct{}, 1)}
	d.ctx, d.cancel = context.WithCancel(context.Background())
	for _, n := range cfg.Foreign {
		d.foreign[n] = true
	}
	return d
}

// Profile is the firmware in use.
func (d *Device) Profile() Profile { return d.cfg.Profile }

// SetProfile changes the firmware for the commands to come.
func (d *Device) SetProfile(p Profile) { d.cfg.Profile = p }

func (d *Device) cycles(t time.Duration) uint64 {
	return uint64(t.Nanoseconds()) * d.cfg.Hz / uint64(time.Second)
}

func (d *Device) at(now uint64, t time.Duration, do func(now uint64)) {
	d.events = append(d.events, event{now + d.cycles(t), do})
}

// Next is the cycle at which the device next has to act.
func (d *Device) Next() uint64 {
	next := ^uint64(0)
	for i := range d.events {
		next = min(next, d.events[i].at)
	}
	return next
}

// Advance lets the firmware act up to a point of time.
func (d *Device) Advance(now uint64) {
	for {
		due := -1
		for i := range d.events {
			if d.events[i].at <= now && (due < 0 || d.events[i].at < d.events[due].at) {
				due = i
			}
		}
		if due < 0 {
			return
		}
		e := d.events[due]
		d.events = append(d.events[:due], d.events[due+1:]...)
		e.do(e.at)
	}
}

// IRQ is the level of the completion interrupt.
func (d *Device) IRQ() bool { return d.irq }

// Close ends the sockets and their goroutines.
func (d *Device) Close() {
	d.cancel()
	d.abandon()
	for i := range d.socks {
		d.drop(i)
	}
	for _, c := range d.ghosts {
		c.kill()
	}
	d.ghosts = nil
	d.wg.Wait()
}

// drop closes a socket at once and frees its number.
func (d *Device) drop(n int) {
	if s := d.socks[n]; s != nil && s.conn != nil {
		s.conn.kill()
	}
	d.socks[n] = nil
}
