package providertest

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// openFake opens a session and returns both of its sides.
func openFake(t *testing.T, f *Fake, spec provider.Spec) (provider.Session, *FakeSession) {
	t.Helper()
	s, err := f.Open(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	opened := f.Opened()
	return s, opened[len(opened)-1]
}

func TestFakeRecordsWhatItSaw(t *testing.T) {
	f := NewFake()
	s, hand := openFake(t, f, provider.Spec{Workspace: "/w"})
	if err := s.Start(t.Context(), "do it", provider.TurnOptions{Access: frames.AccessAsk}); err != nil {
		t.Fatal(err)
	}
	hand.Ask("a1", frames.KindFile, "write x")
	if err := s.Decide(t.Context(), "a1", frames.Decline); err != nil {
		t.Fatal(err)
	}
	if err := s.Decide(t.Context(), "a1", frames.Decline); !errors.Is(err, provider.ErrApprovalGone) {
		t.Errorf("second decision: %v", err)
	}
	hand.Text("fine")
	hand.End(provider.EndDone, "")
	if n := f.Count(OpDecide); n != 2 {
		t.Errorf("%d decisions recorded", n)
	}
	if c := f.Calls(OpStart)[0]; c.Prompt != "do it" || c.Options.Access != frames.AccessAsk || c.Session != hand {
		t.Errorf("Start recorded as %+v", c)
	}
	got, err := s.History(t.Context())
	want := []provider.Entry{{Speaker: frames.SpeakerUser, Text: "do it"}, {Speaker: frames.SpeakerAssistant, Text: "fine"}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("history: %v\n%s", err, diff)
	}
}

func TestFakeCanBlockFailAndIgnore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := NewFake()
		s, hand := openFake(t, f, provider.Spec{Workspace: "/w"})
		release := f.Block(OpStart)
		started := make(chan error, 1)
		go func() { started <- s.Start(context.Background(), "x", provider.TurnOptions{}) }()
		synctest.Wait()
		if hand.Active() || f.Count(OpStart) != 1 {
			t.Error("a blocked Start had an effect, or was not recorded")
		}
		release()
		if err := <-started; err != nil {
			t.Fatal(err)
		}
		broken := errors.New("broken")
		f.Fail(OpCancel, broken)
		if err := s.Cancel(t.Context()); !errors.Is(err, broken) {
			t.Errorf("Cancel returned %v", err)
		}
		f.Fail(OpCancel, nil)
		hand.IgnoreCancel(true)
		if err := s.Cancel(t.Context()); err != nil || !hand.Active() {
			t.Errorf("an ignored Cancel: %v, active %v", err, hand.Active())
		}
		hand.IgnoreCancel(false)
		if err := s.Cancel(t.Context()); err != nil || hand.Active() {
			t.Errorf("Cancel: %v, active %v", err, hand.Active())
		}
	})
}

func TestFakeDeathFailsTheTurnAndEndsTheChannel(t *testing.T) {
	f := NewFake()
	s, hand := openFake(t, f, provider.Spec{Workspace: "/w"})
	if err := s.Start(t.Context(), "x", provider.TurnOptions{}); err != nil {
		t.Fatal(err)
	}
	hand.Text("half")
	hand.Die("gone")
	var got []provider.Event
	for ev := range s.Events() {
		got = append(got, ev)
	}
	want := []provider.Event{
		provider.TextEvent{Text: "half"},
		provider.EndEvent{End: provider.EndFailed, Reason: "gone"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := s.Start(t.Context(), "again", provider.TurnOptions{}); !errors.Is(err, provider.ErrClosed) {
		t.Errorf("Start of a dead session: %v", err)
	}
	again, _ := openFake(t, f, provider.Spec{Workspace: "/w", SessionID: s.ID()})
	if entries, err := again.History(t.Context()); err != nil || len(entries) != 2 {
		t.Errorf("resumed with %v, %v", entries, err)
	}
}

func TestFakeAwaitSeesCallsOfOtherGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := NewFake()
		go func() {
			s, err := f.Open(context.Background(), provider.Spec{Workspace: "/w"})
			if err == nil {
				err = s.Close()
			}
			if err != nil {
				t.Error(err)
			}
		}()
		hand, err := f.AwaitSession(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		c, err := f.Await(t.Context(), OpClose, 1)
		if err != nil || c.Session != hand {
			t.Errorf("awaited %+v, %v", c, err)
		}
	})
}
