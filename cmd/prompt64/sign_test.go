package main

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

func TestStuckLookIsAFailureAndCostsOneGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var looks atomic.Int32
		stuck := make(chan struct{})
		s := &sign{patience: signPatience, look: func() { looks.Add(1); <-stuck }}
		for range 3 {
			if err := s.check(); !errors.Is(err, errStuck) {
				t.Errorf("check: %v", err)
			}
		}
		if n := looks.Load(); n != 1 {
			t.Errorf("%d looks run", n)
		}
		close(stuck)
		synctest.Wait()
		if err := s.check(); err != nil || looks.Load() != 2 {
			t.Errorf("after it came back: %v, %d looks", err, looks.Load())
		}
	})
}
