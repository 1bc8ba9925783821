package firstboot

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// attended plays a program that ends after a time, on a card that takes something until
// another time, and counts the signs of life.
func attended(t *testing.T, ends, takes, limit time.Duration) (signs int, took time.Duration, err error) {
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	ended := make(chan error, 1)
	worn := errors.New("worn out")
	timer := time.AfterFunc(ends, func() { ended <- worn })
	defer timer.Stop()
	err = attend(ctx, ended, func() uint64 {
		return uint64(min(time.Since(began), takes))
	}, func() { signs++ })
	if err != nil && err.Error() == worn.Error() {
		err = nil
	}
	return signs, time.Since(began), err
}

func TestProgramIsAliveAsLongAsTheCardTakesWhatItWrites(t *testing.T) {
	for name, c := range map[string]struct {
		ends, takes, limit time.Duration
		signs              int
		took               time.Duration
		err                error
	}{
		"it works to its end":     {5*time.Minute + 1, 5 * time.Minute, time.Hour, 150, 5*time.Minute + 1, nil},
		"the card stops":          {5*time.Minute + 1, time.Minute, time.Hour, 30, 5*time.Minute + 1, nil},
		"it is quick":             {time.Second, time.Second, time.Hour, 0, time.Second, nil},
		"it is killed":            {time.Minute + time.Second, 0, time.Minute, 0, time.Minute + time.Second, nil},
		"nothing can even end it": {time.Hour, 0, time.Minute, 0, time.Minute + partingTime, errStuck},
	} {
		synctest.Test(t, func(t *testing.T) {
			signs, took, err := attended(t, c.ends, c.takes, c.limit)
			if signs != c.signs || took != c.took || !errors.Is(err, c.err) {
				t.Errorf("%s: %d signs of life, ended after %v: %v", name, signs, took, err)
			}
		})
	}
}
