package main

import (
	"errors"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// signPatience is how long everything behind the pages may take to answer.
const signPatience = 2 * time.Second

// sign is a sign of life of something that may be stuck: look returns if it is
// not. One look runs at a time, so that a stuck one costs one goroutine.
type sign struct {
	look     func()
	patience time.Duration

	mu      sync.Mutex
	running chan struct{} // closed when the look that runs is over
}

var errStuck = errors.New("the leases do not answer")

// check looks, and is an error where that takes too long.
func (s *sign) check() error {
	timer := time.NewTimer(s.patience)
	defer timer.Stop()
	select {
	case <-s.start():
		return nil
	case <-timer.C:
		return errStuck
	}
}

func (s *sign) start() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		done := make(chan struct{})
		s.running = done
		guarded.Go("look at the leases", func() {
			s.look()
			s.mu.Lock()
			defer s.mu.Unlock()
			s.running = nil
			close(done)
		}, nil) // then they do not answer
	}
	return s.running
}
