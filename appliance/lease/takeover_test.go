package lease

import (
	"fmt"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

func TestLivingAttachmentIsNotDisturbed(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		_, err := r.tryBack(c, 0)
		isErr(t, err, ErrInUse)
		if c.link.wasKilled() {
			t.Error("the connection was killed")
		}
		c.send(frames.Heartbeat{})
		single[frames.HeartbeatAck](t, c.take())
	})
}

func TestStaleAttachmentIsTakenOverAndDropped(t *testing.T) {
	bubble(t, func(r *rig) {
		old := r.dial()
		old.prompt("work")
		old.link.silent(6 * time.Second)
		c := r.back(old, 0)
		if !old.link.wasKilled() {
			t.Error("the older connection lives")
		}
		isErr(t, old.ended(), ErrDetached)
		state := single[frames.ReconnectState](t, c.take())
		if !state.Active || state.Token != c.att.Token() {
			t.Errorf("state %+v", state)
		}
		old.send(frames.TurnCancel{}) // what it still sends has no effect
		old.cut()                     // nor has its end
		c.send(frames.Heartbeat{})
		single[frames.HeartbeatAck](t, c.take())
		if n := r.agent.Count(providertest.OpCancel); n != 0 {
			t.Errorf("the dead connection cancelled the turn %d times", n)
		}
		if info := r.table.Snapshot()[0]; !info.Attached {
			t.Errorf("the lease counts as detached: %+v", info)
		}
	})
}

func TestStaleAttachmentStaysUntilSomebodyWantsIt(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.link.silent(time.Hour)
		time.Sleep(time.Hour)
		c.send(frames.SettingsGet{})
		single[frames.SettingsState](t, c.take())
	})
}

func TestBridgeIsFullForTheNinthFromOneAddress(t *testing.T) {
	bubble(t, func(r *rig) {
		for range 8 {
			r.from("10.0.0.1")
		}
		_, err := r.table.Get(&testLink{addr: "10.0.0.1"})
		isErr(t, err, ErrFull)
		r.from("10.0.0.2") // another has room
	})
}

func TestBridgeIsFullForTheSeventeenth(t *testing.T) {
	bubble(t, func(r *rig) {
		var first *c64
		for i := range 16 {
			c := r.from(fmt.Sprint("10.0.0.", i))
			if i == 0 {
				first = c
			}
		}
		first.link.silent(time.Hour) // not from the newcomer's address
		_, err := r.table.Get(&testLink{addr: "10.0.9.9"})
		isErr(t, err, ErrFull)
		if first.link.wasKilled() {
			t.Error("a stranger displaced an attachment")
		}
		if _, err := r.table.Get(&testLink{addr: "10.0.0.0"}); err != nil {
			t.Errorf("its own address: %v", err)
		}
		if !first.link.wasKilled() {
			t.Error("the stale one was not closed")
		}
	})
}

func TestRoomIsMadeByTheStaleIdleOneThatWasSilentLongest(t *testing.T) {
	bubble(t, func(r *rig) {
		var all []*c64
		for range 8 {
			all = append(all, r.from("10.0.0.1"))
		}
		all[1].prompt("work")
		all[1].link.silent(time.Hour) // longest, but has a turn
		all[2].link.silent(10 * time.Second)
		all[3].link.silent(time.Minute)
		r.from("10.0.0.1")
		for i, c := range all {
			if c.link.wasKilled() != (i == 3) {
				t.Errorf("attachment %d killed: %v", i, c.link.wasKilled())
			}
		}
		all[3].cut() // as the bridge does when the connection breaks
		all[2].cut()
		r.back(all[3], 0) // it was detached, not released
	})
}

func TestReconnectNeedsRoomToo(t *testing.T) {
	bubble(t, func(r *rig) {
		away := r.from("10.0.0.1")
		away.cut()
		for range 8 {
			r.from("10.0.0.1")
		}
		_, err := r.tryBack(away, 0)
		isErr(t, err, ErrFull)
	})
}

func TestRoomForAReconnectIsNotMadeOfTheLeaseItself(t *testing.T) {
	bubble(t, func(r *rig) {
		var away []*c64
		for i := range 8 {
			c := r.from(fmt.Sprint("10.0.1.", i))
			if i > 0 {
				c.prompt("work") // so that the first is the next to expire
			}
			away = append(away, c)
		}
		away[0].link.addr = "10.0.0.1"
		for _, c := range away {
			c.cut()
			time.Sleep(time.Second)
		}
		for range 7 {
			r.from("10.0.0.1")
		}
		stale := r.from("10.0.0.1")
		stale.prompt("x")
		end(r.session(8))
		stale.take()
		stale.link.silent(time.Minute)
		r.back(away[0], 0) // closes the stale one, which is the ninth detached
	})
}
