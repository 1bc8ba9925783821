package firstboot

import (
	"context"
	"errors"
	"time"
)

// Bounds of attending to a program that works on a card.
const (
	attendEvery = 2 * time.Second
	partingTime = 10 * time.Second // for a program that was killed to be gone
)

// errStuck is the end of a program that the system cannot even kill, since the card
// does not answer it.
var errStuck = errors.New("the card does not answer any more, use another one")

// attend waits for the end of a program that ctx bounds, and calls alive each time that
// the card has taken something since the last. What hangs is not alive.
func attend(ctx context.Context, ended <-chan error, taken func() uint64, alive func()) error {
	tick := time.NewTicker(attendEvery)
	defer tick.Stop()
	last := taken()
	for {
		select {
		case err := <-ended:
			return err
		case <-tick.C:
			if now := taken(); now != last {
				last = now
				alive()
			}
		case <-ctx.Done():
			select {
			case err := <-ended:
				return err
			case <-time.After(partingTime):
				return errStuck
			}
		}
	}
}
