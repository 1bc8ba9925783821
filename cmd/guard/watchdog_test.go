package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// hungry is a watchdog that counts what it is fed.
type hungry struct{ fed int }

func (h *hungry) Ping() error {
	h.fed++
	return errors.New("it bites") // which is no reason to stop
}

func TestWatchdogIsFedUntilTheEndInATrialOnly(t *testing.T) {
	for _, trial := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			f.trial = trial
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			newGuard(f).watch(ctx)
			if f.fed.Load() != trial {
				t.Errorf("in a trial: %v, fed: %v", trial, f.fed.Load())
			}
		})
	}
}

func TestWatchdogIsFedEverySecondUnlessInitDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second+time.Millisecond)
		defer cancel()
		var h hungry
		if err := feed(ctx, feedEvery, func() (dog, error) { return &h, nil }); err != nil || h.fed != 11 {
			t.Errorf("fed %d times, %v", h.fed, err)
		}
		for _, err := range []error{syscall.EBUSY, fs.ErrNotExist, syscall.EIO} {
			open := func() (dog, error) { return nil, fmt.Errorf("open: %w", err) }
			if got := feed(t.Context(), feedEvery, open); (got != nil) != errors.Is(err, syscall.EIO) {
				t.Errorf("%v: %v", err, got)
			}
		}
	})
}
