package bridge

import "time"

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

// watch looks at every attached connection once in a while: what TCP has
// acknowledged meanwhile, and whether it is dead.
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
			if c.sample() {
				s.log.Info("peer leaves everything unanswered, connection closed", "peer", c.addr)
				cut(c.nc)
			}
		}
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
