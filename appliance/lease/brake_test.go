package lease

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/frames"
)

func TestBurstOfRequestsFromAC64ThatReadsIsAnsweredWhole(t *testing.T) {
	const burst = 3 * maxOpenRequests
	for name, m := range map[string]frames.Message{
		"short replies": frames.SettingsGet{}, "heartbeats": frames.Heartbeat{}, "long replies": frames.SessionListGet{},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				c := r.slow()
				go func() {
					for range burst {
						_ = c.push(m)
					}
				}()
				for range burst + 1 { // slow, but steady
					c.read(1)
					time.Sleep(brakeTime / 10)
				}
				if got := len(c.take()); got != 1+burst || c.link.wasKilled() {
					t.Errorf("%d answers to %d requests, closed: %v", got-1, burst, c.link.wasKilled())
				}
			})
		})
	}
}

func TestReaderIsHeldUpOnceAndNotForEachRequest(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.slow()
		start := time.Now()
		for !c.link.wasKilled() {
			c.send(frames.SettingsGet{})
		}
		if took := time.Since(start); took != brakeTime {
			t.Errorf("a C64 that reads nothing was waited for %v", took)
		}
	})
}

func TestEndOfAnAttachmentLetsItsReaderGo(t *testing.T) {
	for name, end := range map[string]func(r *rig, c *c64){
		"detached": func(_ *rig, c *c64) { c.att.Detach() },
		"released": func(r *rig, _ *c64) { r.table.leases[0].stop() },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				c := r.slow()
				start := time.Now()
				returned := make(chan time.Duration, 1)
				go func() {
					for range brakeReplies + 1 {
						_ = c.push(frames.SettingsGet{})
					}
					returned <- time.Since(start)
				}()
				synctest.Wait()
				end(r, c)
				if took := <-returned; took != 0 {
					t.Errorf("the reader waited %v for nobody", took)
				}
			})
		})
	}
}
