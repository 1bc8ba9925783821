package bridge

import (
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/hang"
)

// State is how many connections a Server has.
type State struct {
	Attached int // with a lease
	Waiting  int // without one, or saying their last word
}

// State counts the connections.
func (s *Server) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := State{Waiting: s.waiting.count()}
	for c := range s.conns {
		if c.attached.Load() {
			state.Attached++
		}
	}
	return state
}

// startWatch starts the watch. Another one takes its place if it breaks; each begins
// with a pause.
func (s *Server) startWatch() {
	guarded.In(&s.running, "bridge watch", s.watch, func(error) { s.startWatch() })
}

// watch looks at every attached connection once in a while: what TCP has
// acknowledged meanwhile, and whether it is dead. A fault in that costs the connection
// alone.
func (s *Server) watch() {
	tick := time.NewTicker(s.tuning.watch)
	defer tick.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-tick.C:
		}
		for _, c := range s.attachedConns() {
			guarded.Run("bridge watch", c.lookAt, c.broke)
		}
	}
}

// lookAt cuts the connection if it is dead.
func (c *conn) lookAt() {
	hang.Here("bridge watch")
	if c.sample() {
		c.server.log.Info("peer leaves everything unanswered, connection closed", "peer", c.addr)
		cut(c.nc)
	}
}

func (s *Server) attachedConns() []*conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*conn
	for c := range s.conns {
		if c.attached.Load() {
			out = append(out, c)
		}
	}
	return out
}
