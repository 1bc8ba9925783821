package acia

import (
	"errors"
	"io"
	"sync"
	"time"
)

// buffer is how many bytes each side of the far end's driver holds.
const buffer = 4096

// ErrClosed is what the use of a closed Port gives.
var ErrClosed = errors.New("acia: the line is closed")

// Port is the far end of the line, as a serial port whose driver handles RTS and
// CTS: a Write waits while the C64 lets nothing come and the buffer is full, and
// when nobody reads, the C64's transmitter is stopped.
type Port struct {
	mu     sync.Mutex
	news   *sync.Cond
	toC64  []byte
	toHost []byte
	rts    bool
	closed bool
	wake   chan struct{}
}

var _ io.ReadWriteCloser = (*Port)(nil)

func newPort() *Port {
	p := &Port{wake: make(chan struct{}, 1)}
	p.news = sync.NewCond(&p.mu)
	return p
}

// Read waits for bytes that the C64 sent.
func (p *Port) Read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.toHost) == 0 {
		if p.closed {
			return 0, ErrClosed
		}
		p.news.Wait()
	}
	n := copy(b, p.toHost)
	p.toHost = p.toHost[n:]
	return n, nil
}

// Write gives bytes to the driver.
func (p *Port) Write(b []byte) (n int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for n < len(b) {
		if p.closed {
			return n, ErrClosed
		}
		if k := min(len(b)-n, buffer-len(p.toC64)); k > 0 {
			p.toC64 = append(p.toC64, b[n:n+k]...)
			n += k
			p.poke()
			continue
		}
		p.news.Wait()
	}
	return n, nil
}

// Close ends Read and Write.
func (p *Port) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.news.Broadcast()
	return nil
}

// Reopen makes a closed port work again, as for a program that opens it anew.
// What waited is gone.
func (p *Port) Reopen() *Port {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed, p.toC64, p.toHost = false, nil, nil
	return p
}

// Queued is how many bytes wait in front of the C64.
func (p *Port) Queued() (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.toC64), nil
}

// CTS says whether the C64 lets bytes come, as its RTS shows here.
func (p *Port) CTS() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rts
}

func (p *Port) setRTS(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rts = on
}

// take is the next byte for the C64.
func (p *Port) take() (byte, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.toC64) == 0 {
		return 0, false
	}
	c := p.toC64[0]
	p.toC64 = p.toC64[1:]
	if len(p.toC64) == buffer-1 {
		p.news.Broadcast()
	}
	return c, true
}

// clear says whether the far end lets the C64 send.
func (p *Port) clear() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.toHost) < buffer
}

// give takes a byte from the C64.
func (p *Port) give(c byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.toHost = append(p.toHost, c)
	p.news.Broadcast()
}

func (p *Port) poke() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Awaits says that the program uses the line and nothing comes, for the
// machine's pacing.
func (d *Device) Awaits() bool {
	if !d.on() || d.full || d.arriving || len(d.fifo) > 0 {
		return false
	}
	n, _ := d.line.Queued()
	return n == 0
}

// Wait sleeps for real time, or until something arrives.
func (d *Device) Wait(t time.Duration) {
	timer := time.NewTimer(t)
	defer timer.Stop()
	select {
	case <-d.line.wake:
	case <-timer.C:
	}
}
