package linktest

import (
	"io"
	"math/rand/v2"
	"sync"
	"time"
)

// direction is one of the two ways of a line: the sender's buffer, the wire and
// the receiver's buffer.
type direction struct {
	line *Line
	rnd  *rand.Rand

	mu     sync.Mutex
	news   *sync.Cond
	queue  []byte // in front of the wire
	free   time.Time
	ready  []byte // arrived
	faults Faults
	held   bool // the receiver holds the sender by RTS
	hole   bool // nothing arrives
	baud   int  // of the sender; 0: no timing
	heard  int  // of the receiver
	sent   uint64
}

// sendBuffer is how many bytes a write can leave in front of the wire, as a
// kernel takes them.
const sendBuffer = 4096

func newDirection(l *Line, seed uint64, baud int) *direction {
	d := &direction{line: l, rnd: rand.New(rand.NewPCG(seed, 65)), baud: baud, heard: baud}
	d.news = sync.NewCond(&d.mu)
	return d
}

// byteTime is how long one byte takes.
func (d *direction) byteTime() time.Duration {
	if d.baud == 0 {
		return 0
	}
	return 10 * time.Second / time.Duration(d.baud) * time.Duration(d.line.speedPart())
}

// advance lets bytes arrive whose time has come.
func (d *direction) advance(now time.Time) {
	var batch []byte
	for len(d.queue) > 0 && !d.held {
		at := d.free.Add(d.byteTime())
		if at.After(now) {
			break
		}
		d.free = at
		batch = append(batch, d.queue[0])
		d.queue = d.queue[1:]
		d.sent++
	}
	if len(batch) == 0 {
		return
	}
	if d.hole {
		batch = nil
	}
	if d.heard != d.baud && d.heard != 0 && d.baud != 0 {
		batch = Resample(batch, d.baud, d.heard)
	}
	for _, c := range batch {
		d.ready = append(d.ready, d.faults.apply(d.rnd, c)...)
	}
	d.news.Broadcast()
}

// write takes all of b, as far as the buffer goes at once.
func (d *direction) write(b []byte, dead func() bool) (n int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for n < len(b) {
		if dead() {
			return n, errUnplugged
		}
		now := time.Now()
		d.advance(now)
		if len(d.queue) == 0 && d.free.Before(now) {
			d.free = now
		}
		k := min(len(b)-n, sendBuffer-len(d.queue))
		d.queue = append(d.queue, b[n:n+k]...)
		n += k
		d.news.Broadcast()
		if n < len(b) {
			d.wait(now)
		}
	}
	return n, nil
}

// read waits for a byte.
func (d *direction) read(b []byte, dead func() bool) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		if dead() {
			return 0, io.ErrUnexpectedEOF
		}
		now := time.Now()
		d.advance(now)
		if len(d.ready) > 0 {
			n := copy(b, d.ready)
			d.ready = d.ready[n:]
			return n, nil
		}
		d.wait(now)
	}
}

// wait sleeps until something changes or the next byte arrives. A receiver gets
// what arrives within a millisecond at once, as from a USB adapter.
func (d *direction) wait(now time.Time) {
	if len(d.queue) > 0 && !d.held {
		next := d.free.Add(d.byteTime())
		if d.byteTime() > 0 {
			next = next.Add(time.Millisecond)
		}
		timer := time.AfterFunc(next.Sub(now), func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.news.Broadcast()
		})
		defer timer.Stop()
	}
	d.news.Wait()
}

// change changes the direction and wakes everybody.
func (d *direction) change(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.advance(time.Now())
	f()
	d.news.Broadcast()
}

// waiting is how many bytes have not left.
func (d *direction) waiting() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.advance(time.Now())
	return len(d.queue)
}
