package lease

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// reader reads along in a goroutine and keeps what it got.
type reader struct {
	t     *testing.T
	watch *Watch
	got   chan []Said
	err   chan error
	leave context.CancelFunc
}

func (r *rig) along(c *c64, from uint64) *reader {
	r.t.Helper()
	w, err := r.table.Watch(c.att.ID(), from)
	if err != nil {
		r.t.Fatal(err)
	}
	ctx, leave := context.WithCancel(r.t.Context())
	a := &reader{r.t, w, make(chan []Said, 10_000), make(chan error, 1), leave}
	go func() {
		for {
			got, err := w.Next(ctx)
			if err != nil {
				w.Close()
				a.err <- err
				return
			}
			if len(got) == 0 {
				r.t.Error("Next returned nothing")
			}
			a.got <- got
		}
	}()
	synctest.Wait()
	return a
}

// take returns what came since the last take.
func (a *reader) take() []Said {
	synctest.Wait()
	var all []Said
	for {
		select {
		case got := <-a.got:
			all = append(all, got...)
		default:
			return all
		}
	}
}

// joined puts pieces of one text together and takes positions away.
func joined(all []Said) []Said {
	var out []Said
	for _, s := range all {
		s.At, s.Next = 0, 0
		if n := len(out); n > 0 && s.Kind.streams() && out[n-1].Kind == s.Kind {
			out[n-1].Text += s.Text
			continue
		}
		out = append(out, s)
	}
	return out
}

func sameSaid(t *testing.T, got, want []Said) {
	t.Helper()
	if diff := cmp.Diff(want, joined(got)); diff != "" {
		t.Errorf("said (-want +got):\n%s", diff)
	}
}

func TestTranscriptSaysWhatWasSaidInOrderAndInUnicode(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		early := r.along(c, 0)
		c.prompt("hello, c64")
		s := r.session(1)
		s.Push(provider.ReasoningEvent{Text: "Hm 🤔"})
		s.Push(provider.TextEvent{Text: "Grüße, \xe2\x82"}) // half of a euro
		synctest.Wait()
		s.Push(provider.TextEvent{Text: "\xac und **日本**\n"})
		s.Push(provider.ActivityEvent{ID: "1", Label: "ls ü"})
		s.Push(provider.ActivityEvent{ID: "1", Lifecycle: frames.ActivityCompleted, Label: "ls ü"})
		s.Push(provider.ApprovalEvent{ID: "a", Kind: frames.KindFile, Summary: "write ☃.txt", Detail: []provider.DetailLine{{Text: "+ snow"}}})
		synctest.Wait()
		request := single[frames.ApprovalRequest](t, c.take()).Seq
		c.send(frames.ApprovalDecision{Decision: frames.AcceptOnce, Named: true, Request: request})
		s.Push(provider.TextEvent{Text: "Done."})
		end(s)
		c.prompt("again")
		s.Push(provider.ApprovalEvent{ID: "b", Summary: "rm"})
		s.Push(provider.ApprovalGoneEvent{ID: "b", Reason: "never mind"})
		s.End(provider.EndFailed, "no more Strom ⚡")
		synctest.Wait()
		second := single[frames.ApprovalRequest](t, c.take()).Seq
		want := []Said{
			{Kind: SaidPrompt, Text: "hello, c64"},
			{Kind: SaidReasoning, Text: "Hm 🤔"},
			{Kind: SaidText, Text: "Grüße, € und **日本**\n"},
			{Kind: SaidActivity, ID: "1", Text: "ls ü"},
			{Kind: SaidActivity, ID: "1", Lifecycle: frames.ActivityCompleted, Text: "ls ü"},
			{Kind: SaidApproval, Request: request, About: frames.KindFile, Text: "write ☃.txt", Detail: []provider.DetailLine{{Text: "+ snow"}}},
			{Kind: SaidDecision, Request: request, Decision: frames.AcceptOnce, Text: "write ☃.txt"},
			{Kind: SaidText, Text: "Done."},
			{Kind: SaidEnd},
			{Kind: SaidPrompt, Text: "again"},
			{Kind: SaidApproval, Request: second, Text: "rm"},
			{Kind: SaidWithdrawn, Request: second, Text: "never mind"},
			{Kind: SaidActivity, Lifecycle: frames.ActivityFailed, Text: "never mind"},
			{Kind: SaidEnd, End: provider.EndFailed, Text: "no more Strom ⚡"},
		}
		sameSaid(t, early.take(), want)
		sameSaid(t, r.along(c, 0).take(), want)
		all, err := r.table.Transcript(r.t.Context(), c.att.ID())
		if err != nil {
			t.Fatal(err)
		}
		sameSaid(t, all, want)
	})
}

func TestReasoningThatTheC64IsNotShownIsNotInTheTranscript(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.send(frames.SettingsSet{Reasoning: frames.ReasoningOff})
		c.prompt("go")
		s := r.session(1)
		s.Push(provider.ReasoningEvent{Text: "secretly"})
		end(s)
		sameSaid(t, r.along(c, 0).take(), []Said{{Kind: SaidPrompt, Text: "go"}, {Kind: SaidEnd}})
	})
}

func TestOtherSessionsAndWorkspacesAreMarked(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		a := r.along(c, 0)
		c.send(frames.WorkspaceSet{Path: []byte("game")})
		c.send(frames.SessionSelect{Index: frames.SessionNew})
		sameSaid(t, a.take(), []Said{{Kind: SaidPlace, Text: "workspace game"}, {Kind: SaidPlace, Text: "a new session"}})
	})
}

func TestReaderThatComesBackMissesNothingAndReadsNothingTwice(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var log saidLog
		var whole, got strings.Builder
		from := uint64(0)
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			if rapid.Bool().Draw(rt, "say") {
				text := rapid.StringN(1, 20, 60).Draw(rt, "text")
				cut := rapid.IntRange(0, len(text)).Draw(rt, "cut in bytes")
				log.stream(SaidText, text[:cut])
				log.stream(SaidText, text[cut:])
				whole.WriteString(text)
			}
			if rapid.IntRange(0, 4).Draw(rt, "mark") == 0 {
				log.add(Said{Kind: SaidActivity, Text: "|"})
				whole.WriteString("|")
			}
			for _, s := range log.read(from) {
				if s.At != from || s.Next <= s.At {
					rt.Fatalf("from %d came %+v", from, s)
				}
				got.WriteString(s.Text)
				from = s.Next
				if rapid.Bool().Draw(rt, "line cut") {
					break
				}
			}
		}
		for more := log.read(from); len(more) > 0; more = log.read(from) {
			for _, s := range more {
				got.WriteString(s.Text)
				from = s.Next
			}
		}
		if got.String() != whole.String() {
			rt.Fatalf("read %q, said was %q", got.String(), whole.String())
		}
	})
}

func TestEveryPieceIsOfWholeRunes(t *testing.T) {
	var log saidLog
	text := strings.Repeat("€", 3*maxSaidPiece)
	var got strings.Builder
	from := uint64(0)
	for i := 0; i < len(text); i += 1000 {
		log.stream(SaidText, text[i:min(i+1000, len(text))])
		for _, s := range log.read(from) {
			if strings.Trim(s.Text, "€") != "" {
				t.Fatalf("a broken rune in the piece at %d: %q", s.At, strings.Trim(s.Text, "€"))
			}
			got.WriteString(s.Text)
			from = s.Next
		}
	}
	if got.String() != text {
		t.Errorf("%d bytes were read of %d", got.Len(), len(text))
	}
}

func TestSlowReaderIsToldWhatItMissedAndCostsTheLeaseNothing(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		w, err := r.table.Watch(c.att.ID(), 0)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		c.prompt("go")
		if got, err := w.Next(r.t.Context()); err != nil || len(got) != 1 {
			t.Fatalf("first: %+v, %v", got, err)
		}
		s := r.session(1)
		for i := range 3 * maxSaid / saidOverhead {
			s.Push(provider.UsageEvent{Used: int64(i)}) // does not count
			r.table.leases[0].post(func() { r.table.leases[0].said.add(Said{Kind: SaidActivity, Text: fmt.Sprint(i)}) })
		}
		synctest.Wait()
		end(s)
		if n := len(only[frames.TurnDone](c.take())); n != 1 {
			t.Errorf("the C64 saw %d ends", n)
		}
		got, err := w.Next(r.t.Context())
		if err != nil || got[0].Kind != SaidMissed || got[0].At != 1 || got[0].Next != got[1].At {
			t.Fatalf("after the gap: %+v, %v", got[:min(len(got), 2)], err)
		}
		l := r.table.leases[0]
		if l.said.size > maxSaid || len(l.lookers) != 0 {
			t.Errorf("%d bytes are kept, %d questions wait", l.said.size, len(l.lookers))
		}
	})
}

func TestReaderGetsTheLastWordsOfALeaseThatEnds(t *testing.T) {
	for name, leave := range map[string]func(*rig, *c64){
		"released": func(_ *rig, c *c64) { c.send(frames.SessionRelease{}) },
		"expired":  func(_ *rig, c *c64) { c.cut(); time.Sleep(frames.LeaseSeconds*time.Second + time.Second) },
		"closed":   func(r *rig, _ *c64) { _ = r.table.Close(context.Background()) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				c := r.dial()
				idle, err := r.table.Watch(c.att.ID(), 0)
				if err != nil {
					t.Fatal(err)
				}
				defer idle.Close()
				a := r.along(c, 0)
				c.prompt("go")
				s := r.session(1)
				s.Push(provider.TextEvent{Text: "Bye \xe2\x82"})
				synctest.Wait()
				leave(r, c)
				synctest.Wait()
				if err := <-a.err; !errors.Is(err, ErrOver) {
					t.Errorf("the reader ended with %v", err)
				}
				want := []Said{{Kind: SaidPrompt, Text: "go"}, {Kind: SaidText, Text: "Bye \xe2\x82"}}
				sameSaid(t, a.take(), want)
				got, err := idle.Next(r.t.Context())
				if err != nil {
					t.Fatal(err)
				}
				sameSaid(t, got, want)
				if _, err := idle.Next(r.t.Context()); !errors.Is(err, ErrOver) {
					t.Errorf("after the last words: %v", err)
				}
				if _, err := r.table.Watch(c.att.ID(), 0); !errors.Is(err, ErrNoLease) {
					t.Errorf("a new watch: %v", err)
				}
			})
		})
	}
}

func TestReaderThatLeavesLeavesNothingBehind(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		for range 100 {
			a := r.along(c, 0)
			a.leave()
			if err := <-a.err; !errors.Is(err, context.Canceled) {
				t.Errorf("it ended with %v", err)
			}
		}
		synctest.Wait()
		if n := len(r.table.leases[0].lookers); n != 0 {
			t.Errorf("%d questions wait", n)
		}
		if r.table.watches != 0 {
			t.Errorf("%d watches are counted", r.table.watches)
		}
	})
}

func TestReadersAreBounded(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		var all []*Watch
		for range maxWatches {
			w, err := r.table.Watch(c.att.ID(), 0)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, w)
		}
		if _, err := r.table.Watch(c.att.ID(), 0); !errors.Is(err, ErrWatched) {
			t.Errorf("one more: %v", err)
		}
		for range 2 {
			all[0].Close()
		}
		last := r.along(c, 1<<60)
		for _, w := range all {
			w.Close()
		}
		c.prompt("a position beyond the end is the end")
		sameSaid(t, last.take(), []Said{{Kind: SaidPrompt, Text: "a position beyond the end is the end"}})
	})
}

func TestWordsWithoutEndAreCut(t *testing.T) {
	var log saidLog
	log.add(Said{Kind: SaidActivity, Text: strings.Repeat("ü", maxSaidText)})
	if s := log.read(0)[0]; len(s.Text) > maxSaidText+10 || !strings.HasSuffix(s.Text, "ü (cut)") {
		t.Errorf("%d bytes: ...%q", len(s.Text), s.Text[len(s.Text)-20:])
	}
	lines := make([]provider.DetailLine, 10_000)
	if cut := cutDetail(lines); len(cut) > maxSaidDetail/saidOverhead+1 || !strings.Contains(cut[len(cut)-1].Text, "not kept") {
		t.Errorf("%d lines", len(cut))
	}
	if same := cutDetail(lines[:3]); len(same) != 3 {
		t.Errorf("%d lines of 3", len(same))
	}
}
