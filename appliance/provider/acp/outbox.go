package acp

import (
	"errors"
	"io"
	"sync"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// maxOutbox is how much may wait for an agent that does not read, in bytes.
const maxOutbox = 16 << 20

var errNotReading = errors.New("the agent does not read its input")

// outbox is the way to the agent's standard input. A write never waits for the
// agent, so that a cancel can always be sent, and lines keep their order.
type outbox struct {
	mu     sync.Mutex
	wake   *sync.Cond
	queue  [][]byte
	size   int
	closed bool
	done   chan struct{}
	sent   func(line []byte) // hears of every line that was queued
}

func newOutbox(w io.WriteCloser, sent func(line []byte)) *outbox {
	o := &outbox{done: make(chan struct{}), sent: sent}
	o.wake = sync.NewCond(&o.mu)
	guarded.Go("agent's input", func() { o.pump(w) }, func(error) { o.Close() })
	return o
}

// Write queues one line, or several.
func (o *outbox) Write(line []byte) (int, error) {
	o.mu.Lock()
	switch {
	case o.closed:
		o.mu.Unlock()
		return 0, io.ErrClosedPipe
	case o.size+len(line) > maxOutbox:
		o.mu.Unlock()
		return 0, errNotReading
	}
	o.queue = append(o.queue, append([]byte(nil), line...))
	o.size += len(line)
	o.wake.Signal()
	o.mu.Unlock()
	o.sent(line)
	return len(line), nil
}

// Close ends the agent's input behind what is queued. It does not wait.
func (o *outbox) Close() {
	o.mu.Lock()
	o.closed = true
	o.wake.Signal()
	o.mu.Unlock()
}

// pump writes until Close or until the agent's input is gone.
func (o *outbox) pump(w io.WriteCloser) {
	defer close(o.done)
	defer w.Close()
	for {
		o.mu.Lock()
		for len(o.queue) == 0 && !o.closed {
			o.wake.Wait()
		}
		if len(o.queue) == 0 {
			o.mu.Unlock()
			return
		}
		line := o.queue[0]
		o.queue = o.queue[1:]
		o.size -= len(line)
		o.mu.Unlock()
		if _, err := w.Write(line); err != nil {
			o.Close()
			o.mu.Lock()
			o.queue, o.size = nil, 0
			o.mu.Unlock()
			return // the reader of its output learns why
		}
	}
}
