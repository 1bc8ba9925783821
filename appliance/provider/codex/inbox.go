package codex

import "sync"

// inboxLimit is how many bytes may wait for a session before the connection's
// reader waits for it: whole turns, so that a session whose events nobody reads
// does not hold up the others, and bounded all the same.
const inboxLimit = 8 << 20

// inboxOverhead is what an entry costs beside its bytes.
const inboxOverhead = 128

// inbox hands a session's work to its goroutine, in order.
type inbox struct {
	mu     sync.Mutex
	work   []job
	cost   int
	closed bool
	wake   chan struct{} // tells the goroutine that something came
	room   chan struct{} // closed, and made anew, when something was taken
}

type job struct {
	cost int
	do   func()
}

func newInbox() *inbox {
	return &inbox{wake: make(chan struct{}, 1), room: make(chan struct{})}
}

// post adds work and never waits. After close it is dropped.
func (b *inbox) post(do func()) { b.add(0, do, true) }

// deliver adds work that came from the server, and waits while too much waits.
func (b *inbox) deliver(size int, do func()) {
	for {
		room := b.add(size, do, false)
		if room == nil {
			return
		}
		<-room
	}
}

// add adds work, or returns the channel that is closed when there may be room.
func (b *inbox) add(size int, do func(), force bool) <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	if !force && b.cost >= inboxLimit {
		return b.room
	}
	j := job{cost: size + inboxOverhead, do: do}
	b.work = append(b.work, j)
	b.cost += j.cost
	select {
	case b.wake <- struct{}{}:
	default:
	}
	return nil
}

// take returns the oldest work, nil if there is none.
func (b *inbox) take() func() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.work) == 0 {
		return nil
	}
	j := b.work[0]
	b.work[0] = job{}
	b.work = b.work[1:]
	b.cost -= j.cost
	b.release()
	return j.do
}

// close drops what waits and lets everybody go.
func (b *inbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed, b.work, b.cost = true, nil, 0
	b.release()
}

func (b *inbox) release() {
	close(b.room)
	b.room = make(chan struct{})
}
