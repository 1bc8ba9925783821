package lease

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

func done(l *retained) frames.Message { return frames.TurnDone{Seq: l.upcoming()} }

func TestSequencesWrapAndStayInOrder(t *testing.T) {
	var l retained
	for n := range uint32(3 * 65536) {
		if !l.add(done(&l), false) {
			t.Fatalf("frame %d refused with %d bytes retained", n, l.size())
		}
		pos := l.end() - 1
		if l.last != uint16(n+1) || l.sequence(pos) != l.last {
			t.Fatalf("frame %d has sequence %d, last %d", n, l.sequence(pos), l.last)
		}
		l.drop(l.end() - min(uint64(n), 5))
	}
	if l.end() != 3*65536 || l.size() != 5*6 {
		t.Errorf("end %d, size %d", l.end(), l.size())
	}
}

func TestNewerFramesAreFoundAcrossTheWrap(t *testing.T) {
	var l retained
	for range 65530 {
		l.add(done(&l), false)
		l.drop(l.end())
	}
	for range 12 { // 65531 to 65535, 0 to 6
		l.add(done(&l), false)
	}
	for _, tc := range []struct {
		applied uint16
		want    int // frames
	}{{65530, 12}, {65531, 11}, {65535, 7}, {0, 6}, {5, 1}, {6, 0}, {7, 0}, {65000, 12}} {
		if got := int(l.end() - l.newer(tc.applied)); got != tc.want {
			t.Errorf("applied %d: %d newer frames, want %d", tc.applied, got, tc.want)
		}
	}
	for seq, want := range map[uint16]bool{65530: false, 65531: true, 0: true, 6: true, 7: false} {
		if l.holds(seq) != want {
			t.Errorf("holds(%d) is %v", seq, !want)
		}
	}
}

func TestLogGivesBackWhatWasAdded(t *testing.T) {
	var l retained
	var want []string
	for i := range 500 {
		m := frames.AssistantDelta{Seq: l.upcoming(), Text: []byte(strings.Repeat("x", i%91))}
		l.add(m, false)
		want = append(want, string(m.AppendTo(nil)))
		if i%7 == 0 {
			n := min(i%11, len(want))
			l.drop(l.first + uint64(n))
			want = want[n:]
		}
		var got []string
		for pos := l.first; pos < l.end(); pos++ {
			got = append(got, string(l.at(pos)))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("after %d: %d frames, want %d", i, len(got), len(want))
		}
	}
}

func TestLimitIsExact(t *testing.T) {
	var l retained
	text := []byte(strings.Repeat("x", 90))
	for l.size()+96 <= frames.MaxRetained {
		l.add(frames.AssistantDelta{Seq: l.upcoming(), Text: text}, false)
	}
	room := frames.MaxRetained - l.size() // 64 bytes
	before := l.last
	if l.add(frames.AssistantDelta{Seq: l.upcoming(), Text: text[:room-6+1]}, false) || l.last != before {
		t.Error("a frame that crosses the limit by a byte was added")
	}
	if !l.add(frames.AssistantDelta{Seq: l.upcoming(), Text: text[:room-6]}, false) || l.size() != 65536 {
		t.Errorf("a frame that fits to the byte was refused; %d bytes", l.size())
	}
	if !l.add(done(&l), true) {
		t.Error("the reserve refused the end of the turn")
	}
}

// flood says n KiB.
func flood(s *providertest.FakeSession, n int) {
	for range n {
		s.Text(strings.Repeat("0123456 ", 128))
	}
}

func TestOverflowFailsTheTurnOnceTheProviderStopped(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("much")
		s := r.session(1)
		s.IgnoreCancel(true)
		flood(s, 70)
		got := c.take()
		if n := len(only[frames.TurnFailed](got)); n != 0 {
			t.Fatal("TurnFailed came before the provider stopped")
		}
		if n := r.agent.Count(providertest.OpCancel); n != 1 {
			t.Errorf("%d cancels", n)
		}
		c.cut()
		c = r.back(c, 0)
		if st := single[frames.ReconnectState](t, c.take()); !st.Active {
			t.Error("not active though the provider has not stopped")
		}
		s.End(provider.EndCancelled, "")
		got = c.take()
		if f := single[frames.TurnFailed](t, got); string(f.Summary) != wordsOverflow {
			t.Errorf("failed with %q", f.Summary)
		}
		if n := len(only[frames.TurnCancelled](got)); n != 0 {
			t.Error("the turn ended twice")
		}
	})
}

func TestOverflowRetainsAtMostTheLimitAndEveryReconnectLearnsTheEnd(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("much")
		flood(r.session(1), 200)
		c.take()
		if n := r.table.Snapshot()[0].Retained; n > frames.MaxRetained+96 || n < frames.MaxRetained-96 {
			t.Errorf("%d bytes retained", n)
		}
		for range 3 {
			c.cut()
			c = r.back(c, 0)
			got := c.take()
			single[frames.TurnFailed](t, got)
			size := 0
			for _, m := range got {
				if _, ok := m.(frames.AssistantDelta); ok {
					size += len(m.AppendTo(nil))
				}
			}
			if size > frames.MaxRetained {
				t.Errorf("%d bytes replayed", size)
			}
		}
	})
}

func TestOverflowKillsAProviderThatDoesNotStop(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("much")
		s := r.session(1)
		s.IgnoreCancel(true)
		flood(s, 70)
		c.take()
		time.Sleep(5*time.Second - time.Millisecond)
		if len(only[frames.TurnFailed](c.take())) != 0 {
			t.Error("failed before its time")
		}
		time.Sleep(2 * time.Millisecond)
		single[frames.TurnFailed](t, c.take())
		if r.agent.Count(providertest.OpClose) != 1 {
			t.Error("the session was not closed")
		}
		c.prompt("go on") // the session is opened anew
		if got := r.session(2).Spec().SessionID; got != s.ID() {
			t.Errorf("resumed %q, want %q", got, s.ID())
		}
	})
}

func TestOverflowByTheLastWordsOfATurnFailsIt(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("much")
		s := r.session(1)
		flood(s, 55)
		c.take()
		for {
			left := frames.MaxRetained - r.table.Snapshot()[0].Retained - 20
			if left <= 6 {
				break
			}
			s.Text(strings.Repeat("y", min(left-6, 90)))
			time.Sleep(30 * time.Millisecond)
		}
		// The first piece fits; the other waits to be merged until the end comes.
		s.Push(provider.TextEvent{Text: "a "}, provider.TextEvent{Text: strings.Repeat("z", 30)},
			provider.EndEvent{End: provider.EndDone})
		got := c.take()
		single[frames.TurnFailed](t, got)
		if len(only[frames.TurnDone](got)) != 0 {
			t.Error("the turn ended twice")
		}
		if r.agent.Count(providertest.OpCancel) != 0 {
			t.Error("a turn that was over was cancelled; that may hit the next one")
		}
		c.prompt("next")
		s.Text("fine")
		end(s)
		single[frames.TurnDone](t, c.take())
	})
}

func TestEndOfAFullTurnUsesTheReserve(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("much")
		s := r.session(1)
		flood(s, 55)
		s.Ask("a", frames.KindFile, "write")
		req := single[frames.ApprovalRequest](t, c.take())
		for {
			left := frames.MaxRetained - r.table.Snapshot()[0].Retained
			if left < 7 {
				break
			}
			s.Text(strings.Repeat("y", min(90, max(left-6, 1))))
			time.Sleep(30 * time.Millisecond)
		}
		c.take()
		c.send(frames.ApprovalDecision{Decision: frames.AcceptOnce, Named: true, Request: req.Seq})
		end(s)
		got := c.take()
		single[frames.ApprovalAck](t, got)
		single[frames.TurnDone](t, got)
	})
}

func TestNewTurnDropsTheFramesOfTheTurnBefore(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("one")
		s := r.session(1)
		flood(s, 10)
		end(s)
		c.take()
		c.prompt("two")
		s.Text("short")
		c.take()
		if n := r.table.Snapshot()[0].Retained; n != 4+2+5 {
			t.Errorf("%d bytes retained", n)
		}
		c.cut()
		c = r.back(c, 0) // a program that was restarted asks from an older sequence
		if p := prose(c.take()); p != "short" {
			t.Errorf("replayed %q", p)
		}
	})
}

func TestNewTurnKeepsWhatTheConnectionHasNotWritten(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.slow()
		c.prompt("one")
		s := r.session(1)
		s.Text("first answer")
		end(s)
		c.take() // LeaseState is handed out, nothing else
		c.prompt("two")
		s.Text("second answer")
		end(s)
		c.read(10)
		got := c.take()
		if p := prose(got); p != "first answersecond answer" {
			t.Errorf("prose %q", p)
		}
		if n := len(only[frames.TurnDone](got)); n != 2 {
			t.Errorf("%d ends", n)
		}
	})
}

func TestFrameThatIsBeingWrittenIsNotDroppedByANewTurn(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.slow()
		c.prompt("one")
		s := r.session(1)
		s.Text("answer")
		end(s)
		c.read(2) // the answer is written, TurnDone is being written
		c.prompt("two")
		synctest.Wait()
		c.cut()
		c = r.back(c, 1)
		if got := sequences(c.take()); len(got) != 1 || got[0] != 2 {
			t.Errorf("replayed %v", got)
		}
	})
}

func TestFrameThatWasBeingWrittenIsDroppedOnceItIs(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.slow()
		c.prompt("one")
		s := r.session(1)
		s.Text("answer")
		end(s)
		c.read(2)       // TurnDone is on the wire: a quick C64 has it already,
		c.prompt("two") // before the writer is back
		s.Text("second")
		c.read(10)
		c.cut()
		c = r.back(c, 0)
		if got := c.take(); prose(got) != "second" || len(only[frames.TurnDone](got)) != 0 {
			t.Errorf("replayed %s", show(got))
		}
	})
}

func TestRestOfTheTurnBeforeDoesNotShortenTheNext(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.slow()
		c.prompt("one")
		s := r.session(1)
		flood(s, 50)
		end(s)
		c.prompt("two") // though next to nothing of the first is written
		c.read(1000)
		flood(s, 50)
		end(s)
		c.read(1000)
		if got := c.take(); len(only[frames.TurnDone](got)) != 2 {
			t.Errorf("%d turns went well", len(only[frames.TurnDone](got)))
		}
	})
}
