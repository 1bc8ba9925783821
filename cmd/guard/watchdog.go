package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"syscall"
	"time"

	"github.com/mdlayher/watchdog"
)

// feedEvery is how often init feeds the hardware watchdog, and guard in its place.
const feedEvery = time.Second

// dog is a hardware watchdog that resets the machine when it is not fed.
type dog interface{ Ping() error }

// Feed feeds the hardware watchdog until ctx is done, if init does not. In the
// trial of an update it may not: gokrazy's init feeds it, hands over to the init of
// the other root, and that one looks for the watchdog while it still mounts /dev
// (gokrazy.go, Boot), gives up for good when it is not there yet, and is reset in
// the middle of the trial.
func (m *machine) Feed(ctx context.Context) error {
	return feed(ctx, feedEvery, func() (dog, error) { return watchdog.Open() })
}

func feed(ctx context.Context, every time.Duration, open func() (dog, error)) error {
	d, err := open()
	switch {
	case errors.Is(err, syscall.EBUSY), errors.Is(err, fs.ErrNotExist):
		return nil // init has it, or there is none
	case err != nil:
		return fmt.Errorf("feed the watchdog: %w", err)
	}
	log.Print("init does not feed the hardware watchdog; doing that")
	tick := time.NewTicker(every)
	defer tick.Stop()
	// It is not closed, which might stop it: the end of guard is no reason to trust
	// the machine more.
	for {
		if err := d.Ping(); err != nil {
			log.Print("feed the watchdog: ", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}
