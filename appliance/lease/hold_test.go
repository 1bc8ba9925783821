package lease

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

// stored gives the agent two older sessions in the root folder.
func stored(r *rig) {
	r.agent.AddSession("/root/", provider.SessionInfo{ID: "a", Title: "Older", Updated: time.Unix(1, 0)},
		provider.Entry{Speaker: frames.SpeakerUser, Text: "question"},
		provider.Entry{Speaker: frames.SpeakerAssistant, Text: "**answer**"})
	r.agent.AddSession("/root/", provider.SessionInfo{ID: "b", Title: "Newer", Updated: time.Unix(2, 0)})
}

func TestSessionOfAnAttachedLeaseIsInUse(t *testing.T) {
	bubble(t, func(r *rig) {
		stored(r)
		holder, other := r.dial(), r.dial()
		for _, c := range []*c64{holder, other} {
			c.send(frames.SessionListGet{})
			c.take()
		}
		holder.send(frames.SessionSelect{Index: 0})
		if s := single[frames.SessionState](t, holder.take()); s.Index != 0 || string(s.Title) != "Newer" {
			t.Errorf("state %+v", s)
		}
		other.send(frames.SessionSelect{Index: 0})
		other.refused("SESSION IN USE")
		holder.send(frames.SessionSelect{Index: frames.SessionNew}) // lets go of it
		other.send(frames.SessionSelect{Index: 0})
		single[frames.SessionState](t, other.take())
	})
}

func TestSessionOfADetachedLeaseExpiresThatLeaseFirst(t *testing.T) {
	bubble(t, func(r *rig) {
		stored(r)
		holder, other := r.dial(), r.dial()
		holder.send(frames.SessionListGet{})
		holder.send(frames.SessionSelect{Index: 1})
		holder.prompt("work")
		release := r.agent.Block(providertest.OpClose)
		holder.cut()
		other.send(frames.SessionListGet{})
		other.send(frames.SessionSelect{Index: 1})
		single[frames.SessionState](t, other.take())
		_, err := r.tryBack(holder, 0)
		isErr(t, err, ErrExpired)
		other.prompt("mine now")
		if n := len(r.agent.Opened()); n != 1 {
			t.Errorf("%d sessions opened while the older holder still closes it", n)
		}
		release()
		synctest.Wait()
		if got := r.session(2).Spec().SessionID; got != "a" {
			t.Errorf("opened %q", got)
		}
	})
}

func TestNewSessionIsHeldOnceItHasAName(t *testing.T) {
	bubble(t, func(r *rig) {
		holder, other := r.dial(), r.dial()
		holder.prompt("begin")
		end(r.session(1))
		other.send(frames.SessionListGet{})
		if e := single[frames.SessionEntry](t, other.take()); string(e.Title) != "begin" || e.Current {
			t.Errorf("entry %+v", e)
		}
		other.send(frames.SessionSelect{Index: 0})
		other.refused("SESSION IN USE")
		holder.send(frames.SessionRelease{})
		other.send(frames.SessionSelect{Index: 0})
		single[frames.SessionState](t, other.take())
	})
}
