package main

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// Bounds of a log that nobody takes.
const (
	sinkLines = 1024
	sinkFlush = time.Second // the longest that the end waits for the last lines
	sinkRetry = time.Second // after a fault, whose own line may bring the next
)

// sink stands between the log and its writer. Writing to it never waits: a
// terminal that was stopped with CTRL and S, a full pipe or a slow console costs
// lines of the log, which it counts, and never holds up a C64.
type sink struct {
	w    io.Writer
	done chan struct{} // closed when everything is written

	mu     sync.Mutex
	lines  chan []byte
	closed bool
	lost   int
}

func newSink(w io.Writer) *sink {
	s := &sink{w: w, done: make(chan struct{}), lines: make(chan []byte, sinkLines)}
	s.start()
	return s
}

// start starts to drain, and again if that breaks.
func (s *sink) start() {
	guarded.Go("log", func() {
		s.drain()
		close(s.done)
	}, func(error) { guarded.AfterFunc(sinkRetry, "log", s.start, nil) })
}

// Write queues a line or drops it. It always succeeds.
func (s *sink) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return len(line), nil
	}
	select {
	case s.lines <- bytes.Clone(line):
	default:
		s.lost++
	}
	return len(line), nil
}

// drain writes what is queued. An error of the writer loses the line: there is
// nobody left to tell.
func (s *sink) drain() {
	for line := range s.lines {
		_, _ = s.w.Write(line)
		if n := s.takeLost(); n > 0 {
			fmt.Fprintf(s.w, "level=WARN msg=\"the log was not read, lines are lost\" lines=%d\n", n)
		}
	}
}

func (s *sink) takeLost() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.lost
	s.lost = 0
	return n
}

// close writes what is left, as far as the writer takes it in time.
func (s *sink) close() {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.lines)
	}
	s.mu.Unlock()
	timer := time.NewTimer(sinkFlush)
	defer timer.Stop()
	select {
	case <-s.done:
	case <-timer.C:
	}
}
