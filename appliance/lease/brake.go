package lease

import (
	"sync/atomic"
	"time"
)

// brake holds up the reader of a connection whose C64 asks faster than it reads:
// requests then wait in the transport, and are taken as replies go out. Without
// it, whether a burst of requests piles up would hang on which goroutine runs
// first. A C64 that reads nothing at all is not waited for: what it goes on to
// ask piles up, and closes the connection.
type brake struct {
	waiting atomic.Int32  // replies that wait
	step    chan struct{} // has room for one: a frame went out, or all are dropped
	vain    bool          // the reader's own: it waited, and nothing went out
}

func newBrake() brake { return brake{step: make(chan struct{}, 1)} }

// hold is the reader's: it returns once few replies wait, or none goes out.
func (b *brake) hold(stopped <-chan struct{}) {
	if b.waiting.Load() < brakeReplies {
		b.vain = false
		return
	}
	if b.vain {
		return
	}
	timer := time.NewTimer(brakeTime)
	defer timer.Stop()
	for b.waiting.Load() >= brakeReplies {
		select {
		case <-b.step:
			timer.Reset(brakeTime)
		case <-timer.C:
			b.vain = true
			return
		case <-stopped:
			return
		}
	}
}

// weigh is the lease's: so many replies wait now.
func (b *brake) weigh(waiting int) {
	if b.waiting.Swap(int32(waiting)) >= brakeReplies && waiting < brakeReplies {
		b.wake()
	}
}

// moved is the lease's: a frame goes out.
func (b *brake) moved() {
	if b.waiting.Load() >= brakeReplies {
		b.wake()
	}
}

// release is the lease's: the attachment is over.
func (b *brake) release() {
	b.waiting.Store(0)
	b.wake()
}

func (b *brake) wake() {
	select {
	case b.step <- struct{}{}:
	default:
	}
}
