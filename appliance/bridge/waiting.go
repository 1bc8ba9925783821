package bridge

import "sync"

// waiting holds the connections that have no lease: the new ones, and those
// that linger after their last word. It is bounded: one too many closes the
// oldest, so that a port scan or a hundred idle sockets cost a fixed amount and
// a C64 that comes now is served.
type waiting struct {
	mu    sync.Mutex
	max   int
	conns []*conn // oldest first
}

// add takes c in and returns the connection that has to go, nil if none.
func (w *waiting) add(c *conn) (oldest *conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conns = append(w.conns, c)
	if len(w.conns) <= w.max {
		return nil
	}
	oldest = w.conns[0]
	w.conns = w.conns[:copy(w.conns, w.conns[1:])]
	return oldest
}

// remove forgets c; it reports whether c was still waiting.
func (w *waiting) remove(c *conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, other := range w.conns {
		if other == c {
			w.conns = append(w.conns[:i], w.conns[i+1:]...)
			return true
		}
	}
	return false
}

// dropOldest takes out the connection that has waited longest, nil if none.
func (w *waiting) dropOldest() *conn {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.conns) == 0 {
		return nil
	}
	oldest := w.conns[0]
	w.conns = w.conns[:copy(w.conns, w.conns[1:])]
	return oldest
}

// count returns how many wait.
func (w *waiting) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.conns)
}
