package lease

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

// busy plays a turn with a frame of every kind; steps are its moments.
func busy(s *providertest.FakeSession) []func() {
	return []func(){
		func() { s.Push(provider.ReasoningEvent{Text: "Let me think. "}) },
		func() { s.Text("I look ") },
		func() { s.Text("at it.") },
		func() { s.Push(provider.ActivityEvent{ID: "1", Label: "go test"}) },
		func() {
			s.Push(provider.ActivityEvent{ID: "1", Lifecycle: frames.ActivityCompleted, Label: "go test"})
		},
		func() { s.Ask("q", frames.KindFile, "write main.go") },
		func() { s.Push(provider.ApprovalGoneEvent{ID: "q", Reason: "took too long"}) },
		func() { s.Text("Done now.") },
		func() { s.End(provider.EndDone, "") },
	}
}

// transcript is the turn as a C64 keeps it: what is newer is applied once.
type transcript struct {
	applied uint16
	all     []frames.Message
}

func (tr *transcript) apply(t *testing.T, got []frames.Message) {
	t.Helper()
	for _, m := range got {
		for _, seq := range sequences([]frames.Message{m}) {
			if !frames.Newer(seq, tr.applied) {
				t.Errorf("frame %d was sent again on one connection, or late: applied %d", seq, tr.applied)
			}
			if seq != tr.applied+1 {
				t.Errorf("frame %d follows %d", seq, tr.applied)
			}
			tr.applied = seq
			tr.all = append(tr.all, m)
		}
	}
}

func TestCutAfterEveryFrameGivesTheSameTranscript(t *testing.T) {
	var want []frames.Message
	play := func(cutAt int) (got []frames.Message, n int) {
		bubble(t, func(r *rig) {
			c := r.dial()
			c.prompt("go")
			var tr transcript
			for i, step := range busy(r.session(1)) {
				step()
				time.Sleep(50 * time.Millisecond)
				if i != cutAt {
					tr.apply(t, c.take())
					continue
				}
				// What came since the last take is lost on the way.
				c.cut()
				time.Sleep(time.Second)
				c = r.back(c, tr.applied)
			}
			tr.apply(t, c.take())
			got, n = tr.all, len(busy(r.session(1)))
		})
		return got, n
	}
	want, n := play(-1)
	if len(want) != n+1 {
		t.Fatalf("%d frames in an undisturbed turn: %s", len(want), show(want))
	}
	for k := range n {
		got, _ := play(k)
		if diff := cmp.Diff(show(want), show(got)); diff != "" {
			t.Errorf("cut after step %d:\n%s", k, diff)
		}
	}
}

func TestReplayIsTheSameFromEverySequence(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		for _, step := range busy(r.session(1)) {
			step()
			time.Sleep(50 * time.Millisecond)
		}
		all := slices.DeleteFunc(c.take(), func(m frames.Message) bool { return !m.Type().Sequenced() })
		for applied := range len(all) + 1 {
			c.cut()
			c = r.back(c, uint16(applied))
			got := c.take()
			state, replay, last := got[0], got[1:len(got)-1], got[len(got)-1]
			if s, ok := state.(frames.ReconnectState); !ok || s.Active || int(s.Latest) != len(all) {
				t.Errorf("applied %d: first %+v", applied, state)
			}
			if _, ok := last.(frames.ReconnectDone); !ok {
				t.Errorf("applied %d: last %+v", applied, last)
			}
			if diff := cmp.Diff(show(all[applied:]), show(replay)); diff != "" {
				t.Errorf("applied %d:\n%s", applied, diff)
			}
		}
	})
}

func TestReplayOfAnIdleFreshLease(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.cut()
		got := r.back(c, 0).take()
		want := []frames.Message{
			frames.ReconnectState{Token: c.att.Token()}, frames.ReconnectDone{},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestReconnectDoneFollowsTheFrameNumberedLatest(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.slow()
		c.prompt("go")
		s := r.session(1)
		say := func(n int) {
			for i := range n {
				s.Text(fmt.Sprint(i, " "))
				time.Sleep(50 * time.Millisecond)
			}
		}
		say(5)
		c.cut()
		link := &testLink{addr: "10.0.0.2"}
		att, err := r.table.Reconnect(c.att.Token(), 0, link)
		if err != nil {
			t.Fatal(err)
		}
		c = r.serve(att, link, make(chan struct{}, 100)) // holds ReconnectState
		say(3)                                           // while the replay goes on
		c.read(50)
		got := c.take()
		at := slices.IndexFunc(got, func(m frames.Message) bool { return m.Type() == frames.TypeReconnectDone })
		if before := sequences(got[:at]); !slices.Equal(before, []uint16{1, 2, 3, 4, 5}) {
			t.Errorf("before ReconnectDone: %v", before)
		}
		if after := sequences(got[at:]); !slices.Equal(after, []uint16{6, 7, 8}) {
			t.Errorf("after ReconnectDone: %v", after)
		}
	})
}

func TestAnAppliedSequenceFromNowhereDoesNotStopTheStream(t *testing.T) {
	working(t, func(r *rig, c *c64, s *providertest.FakeSession) {
		s.Text("one")
		c.cut()
		c = r.back(c, 30000)
		s.Text("two")
		time.Sleep(time.Second)
		if p := prose(c.take()); p != "two" {
			t.Errorf("prose %q", p)
		}
	})
}

func TestASlowC64HoldsUpNobody(t *testing.T) {
	bubble(t, func(r *rig) {
		slow, quick := r.slow(), r.dial()
		slow.prompt("go")
		quick.prompt("go")
		a, b := r.session(1), r.session(2)
		if a.Spec() != b.Spec() {
			t.Fatal("two sessions expected")
		}
		for range 100 {
			a.Text("word ")
			b.Text("word ")
			time.Sleep(30 * time.Millisecond)
		}
		end(a)
		end(b)
		if len(only[frames.TurnDone](quick.take())) != 1 {
			t.Error("the quick one waits")
		}
		if info := r.table.Snapshot()[0]; info.Turn != "READY" {
			t.Errorf("the slow one's turn is %s", info.Turn)
		}
		slow.read(1000)
		if p := prose(slow.take()); len(p) != 500 {
			t.Errorf("the slow one got %d bytes", len(p))
		}
	})
}

func TestSequencesWrapInOneLeaseWithoutALostFrame(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		var tr transcript
		const turns, events = 70, 1000
		for turn := range turns {
			c.prompt("go")
			s := r.session(1)
			for range events / 2 {
				s.Push(provider.ActivityEvent{ID: "x", Label: "t"}, provider.TextEvent{Text: "w"})
			}
			end(s)
			tr.apply(t, c.take())
			tr.all = nil
			if turn%7 == 0 {
				c.cut()
				c = r.back(c, tr.applied)
				if st := c.take()[0].(frames.ReconnectState); st.Latest != tr.applied {
					t.Fatalf("latest %d, applied %d", st.Latest, tr.applied)
				}
			}
		}
		const total = turns * (events + 1)
		if total <= 65536 || tr.applied != total&0xFFFF {
			t.Errorf("applied %d after %d frames", tr.applied, total)
		}
	})
}

func TestRequestsAfterDetachmentAreDropped(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.cut()
		for _, m := range []frames.Message{
			frames.UserText{Text: []byte("late")}, frames.SessionRelease{}, frames.AccessSet{Access: 2},
		} {
			c.send(m)
		}
		c = r.back(c, 0)
		c.send(frames.DashboardGet{Tab: frames.TabStatus})
		if info := r.table.Snapshot()[0]; info.Settings.Access != frames.AccessAsk || info.Turn != "READY" {
			t.Errorf("a late request had an effect: %+v", info)
		}
	})
}

func TestNextEndsWhenTheTableCloses(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		if err := r.table.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		isErr(t, c.ended(), ErrDetached)
		_, err := r.table.Get(&testLink{})
		isErr(t, err, ErrClosed)
		_, err = r.tryBack(c, 0)
		isErr(t, err, ErrClosed)
		c.send(frames.Heartbeat{}) // harmless
		c.cut()
	})
}

func TestReleaseAcknowledgesAtOnceAndStopsTheProviderAfterThat(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		r.session(1)
		free := r.agent.Block(providertest.OpClose)
		c.send(frames.SessionRelease{})
		single[frames.SessionRelease](t, c.take())
		isErr(t, c.ended(), ErrReleased)
		_, err := r.tryBack(c, 0)
		isErr(t, err, ErrExpired)
		free()
		synctest.Wait()
		if n := r.agent.Count(providertest.OpClose); n != 1 {
			t.Errorf("%d closes", n)
		}
	})
}

func TestReleaseIsNotHeldUpByAC64ThatDoesNotRead(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.slow()
		c.prompt("go")
		s := r.session(1)
		s.Text("words")
		c.send(frames.SessionRelease{})
		if r.agent.Count(providertest.OpClose) != 1 {
			t.Error("the provider is not stopped")
		}
		c.read(2)
		got := c.take()
		single[frames.SessionRelease](t, got)
		if len(only[frames.AssistantDelta](got)) != 0 {
			t.Error("text after the release")
		}
		isErr(t, c.ended(), ErrReleased)
	})
}

func TestNothingComesBetweenReconnectStateAndReconnectDone(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		r.session(1).Text(strings.Repeat("words ", 100))
		c.cut()
		link := &testLink{addr: c.link.addr}
		att, err := r.table.Reconnect(c.att.Token(), 0, link)
		if err != nil {
			t.Fatal(err)
		}
		again := r.serve(att, link, make(chan struct{}, 100))
		again.send(frames.Heartbeat{}) // before ReconnectDone was read
		again.send(frames.SettingsGet{})
		again.send(frames.DashboardGet{Tab: frames.TabActivity})
		again.read(50)
		got := again.take()
		var kinds []string
		for _, m := range got {
			if m.Type() != frames.TypeAssistantDelta {
				kinds = append(kinds, m.Type().String())
			}
		}
		if got := strings.Join(kinds, " "); got != "ReconnectState ReconnectDone HeartbeatAck SettingsState DashboardDone" {
			t.Errorf("order %s", got)
		}
		if i := slices.IndexFunc(got, func(m frames.Message) bool { return m.Type() == frames.TypeReconnectDone }); i < 3 {
			t.Errorf("ReconnectDone is number %d", i)
		}
	})
}

func TestFaultIsToldAlsoInTheMiddleOfAReplay(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		flood(r.session(1), 20)
		c.cut()
		link := &testLink{addr: c.link.addr}
		att, err := r.table.Reconnect(c.att.Token(), 0, link)
		if err != nil {
			t.Fatal(err)
		}
		again := r.serve(att, link, make(chan struct{}, 100))
		att.Fail("TYPE $00 UNKNOWN")
		again.read(3)
		if got := again.take(); refusal(t, got) != "TYPE $00 UNKNOWN" || len(got) != 2 {
			t.Errorf("got %s", show(got))
		}
		isErr(t, again.ended(), ErrFault)
	})
}
