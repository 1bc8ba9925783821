package link_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/link/linktest"
)

func TestBytesArriveOnceAndInOrderBothWays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, 38400, 1)
		defer d.close()
		c, b := d.dial(linktest.Config{})
		start := time.Now()
		var both sync.WaitGroup
		both.Go(func() { transfer(t, c, b, noise(1, 20<<10)) })
		both.Go(func() { transfer(t, b, c, noise(2, 20<<10)) })
		both.Wait()
		t.Log(time.Since(start))
	})
}
