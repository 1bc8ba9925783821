package provider

import (
	"context"
	"sync"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// DefaultQueueLimit is how much may wait in a Queue before Push waits, in bytes
// as the queue counts them. It holds several whole turns of the protocol.
const DefaultQueueLimit = 256 * 1024

// eventOverhead is what an event costs beside its text, so that a flood of
// one-byte pieces is bounded too.
const eventOverhead = 64

// Queue carries a session's events from the agent to the one reader of the
// channel. It does not merge, reorder or inspect events, and it does not make a
// slow reader faster: it only decides who waits.
//
//   - Push waits while more than the limit is queued, so a stalled reader costs
//     bounded memory. The wait ends when the reader takes something, when the
//     context ends, or when the queue closes: a producer is never held for ever
//     as long as it can be cancelled.
//   - Put never waits. It is for the few events that must not be lost to a
//     cancelled context: the end of a turn above all.
//   - Nothing is dropped between Push and the reader but by Close.
//   - Finish lets the reader have what is queued and closes the channel then;
//     Close closes it at once. After both, Push and Put refuse.
//
// A Queue has a goroutine of its own, which ends with Close, or with Finish once
// the reader took the rest. Methods are safe for concurrent use.
type Queue struct {
	limit int
	out   chan Event
	quit  chan struct{} // closed by Close
	done  chan struct{} // closed when the goroutine ended
	wake  chan struct{} // tells the goroutine that something changed

	mu       sync.Mutex
	waiting  []Event
	cost     int           // of waiting and of the event being handed over
	room     chan struct{} // closed, and made anew, when cost falls
	finished bool
	closed   bool
}

// NewQueue makes a queue whose Push waits above limit; 0 means
// DefaultQueueLimit.
func NewQueue(limit int) *Queue {
	if limit <= 0 {
		limit = DefaultQueueLimit
	}
	q := &Queue{
		limit: limit,
		out:   make(chan Event),
		quit:  make(chan struct{}),
		done:  make(chan struct{}),
		wake:  make(chan struct{}, 1),
		room:  make(chan struct{}),
	}
	guarded.Go("events of a session", q.pump, func(error) { q.shut() })
	return q
}

// Events is the reader's end. It is closed after Close, or after Finish once
// everything was read.
func (q *Queue) Events() <-chan Event { return q.out }

// Push queues an event, and waits first while the queue is full. On an error, a
// context's or ErrClosed, the event was not queued.
func (q *Queue) Push(ctx context.Context, ev Event) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		room, err := q.offer(ev, false)
		if room == nil {
			return err
		}
		select {
		case <-room:
		case <-q.quit:
		case <-ctx.Done():
		}
	}
}

// Put queues an event without waiting, whatever is queued already; ErrClosed
// if nothing is taken any more.
func (q *Queue) Put(ev Event) error {
	_, err := q.offer(ev, true)
	return err
}

// Finish says that no event follows. What is queued still reaches the reader.
func (q *Queue) Finish() {
	q.mu.Lock()
	q.finished = true
	q.release()
	q.mu.Unlock()
	q.nudge()
}

// Close drops what is queued, closes the channel and waits for the queue's
// goroutine. It may be called more than once.
func (q *Queue) Close() {
	q.shut()
	<-q.done
}

// shut takes nothing more and lets everybody go.
func (q *Queue) shut() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.closed = true
		q.waiting = nil
		close(q.quit)
	}
}

// offer queues ev, or returns the channel that is closed when there may be room.
func (q *Queue) offer(ev Event, force bool) (room <-chan struct{}, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || q.finished {
		return nil, ErrClosed
	}
	if !force && q.cost >= q.limit {
		return q.room, nil
	}
	q.waiting = append(q.waiting, ev)
	q.cost += eventCost(ev)
	q.nudge()
	return nil, nil
}

// pump hands the events over one by one.
func (q *Queue) pump() {
	defer close(q.done)
	defer close(q.out)
	for {
		ev, finished := q.take()
		switch {
		case ev != nil:
			select {
			case q.out <- ev:
				q.settle(ev)
			case <-q.quit:
				return
			}
		case finished:
			return
		default:
			select {
			case <-q.wake:
			case <-q.quit:
				return
			}
		}
	}
}

// take returns the oldest event, nil if there is none.
func (q *Queue) take() (ev Event, finished bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return nil, q.finished || q.closed
	}
	ev = q.waiting[0]
	q.waiting[0] = nil
	q.waiting = q.waiting[1:]
	return ev, false
}

// settle takes an event that was handed over off the bill.
func (q *Queue) settle(ev Event) {
	q.mu.Lock()
	q.cost -= eventCost(ev)
	if q.cost < q.limit {
		q.release()
	}
	q.mu.Unlock()
}

// release lets the waiting producers look again. The caller holds mu.
func (q *Queue) release() {
	close(q.room)
	q.room = make(chan struct{})
}

func (q *Queue) nudge() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// eventCost is what an event counts against the limit.
func eventCost(ev Event) int {
	cost := eventOverhead
	switch e := ev.(type) {
	case TextEvent:
		cost += len(e.Text)
	case ReasoningEvent:
		cost += len(e.Text)
	case ApprovalEvent:
		cost += len(e.Summary)
		for _, line := range e.Detail {
			cost += eventOverhead + len(line.Text)
		}
	case ActivityEvent:
		cost += len(e.Label)
	case EndEvent:
		cost += len(e.Reason)
	}
	return cost
}
