package fetch

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestPauseEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &get{Fetcher: &Fetcher{}}
		began := time.Now()
		if err := g.wait(t.Context(), time.Minute); err != nil || time.Since(began) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(errors.New("interrupted")) })
		began = time.Now()
		if err := g.wait(ctx, time.Minute); err == nil || err.Error() != "interrupted" || time.Since(began) != time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}
