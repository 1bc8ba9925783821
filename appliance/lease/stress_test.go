package lease

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

// answers lets every session answer each prompt with a long text about it, in
// pieces and with pauses, from a goroutine of its own.
func answers(r *rig) {
	r.agent.On(providertest.OpStart, func(_ context.Context, c providertest.Call) error {
		go func() {
			for i := range 40 {
				c.Session.Text(fmt.Sprintf("%s-%d ", c.Prompt, i))
				if i%7 == 0 {
					time.Sleep(time.Duration(i) * time.Millisecond)
				}
				if i%20 == 5 {
					c.Session.Push(provider.ActivityEvent{ID: "a", Label: "step"})
				}
			}
			c.Session.End(provider.EndDone, "")
		}()
		return nil
	})
}

func answerTo(prompt string) string {
	s := ""
	for i := range 40 {
		s += fmt.Sprintf("%s-%d ", prompt, i)
	}
	return s
}

// life is a C64 in a goroutine: it sends prompts, loses its line at random
// moments, and comes back; it returns the text that it was shown.
func life(r *rig, rng *rand.Rand, addr string, turns int) (string, error) {
	link := &testLink{addr: addr}
	att, err := r.table.Get(link)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	var applied uint16
	buf := make([]byte, 0, frames.MaxFrameToC64)
	for turn := 0; turn < turns; {
		prompt := frames.Frame{Type: frames.TypeUserText, Payload: fmt.Appendf(nil, "%s.%d", addr, turn)}
		_ = att.Request(prompt)
		for over := false; !over; {
			if rng.IntN(12) == 0 {
				token := att.Token()
				if rng.IntN(2) == 0 {
					link.silent(6 * time.Second) // the bridge has not noticed: a takeover
				} else {
					att.Detach()
				}
				time.Sleep(time.Duration(rng.IntN(2000)) * time.Millisecond)
				link = &testLink{addr: addr}
				if att, err = r.table.Reconnect(token, applied, link); err != nil {
					return "", err
				}
			}
			out, err := att.Next(buf[:0])
			if err != nil {
				return "", err
			}
			m, err := decodeToC64(out)
			if err != nil {
				return "", err
			}
			for _, seq := range sequences([]frames.Message{m}) {
				if seq != applied+1 {
					return "", fmt.Errorf("sequence %d follows %d", seq, applied)
				}
				applied = seq
			}
			switch m := m.(type) {
			case frames.AssistantDelta:
				text.Write(m.Text)
			case frames.TurnDone:
				over = true
			case frames.ReconnectState:
				if !m.Active && m.Latest == applied { // the prompt was lost on the way
					_ = att.Request(prompt)
				}
			case frames.TurnFailed, frames.TurnCancelled, frames.Error:
				return "", fmt.Errorf("unexpected %T %+v", m, m)
			}
		}
		turn++
	}
	_ = att.Request(frames.Frame{Type: frames.TypeSessionRelease})
	return text.String(), nil
}

func TestManyC64sAtOnceLoseAndDoubleNothing(t *testing.T) {
	for seed := range uint64(8) {
		bubble(t, func(r *rig) {
			answers(r)
			const c64s, turns = 8, 6
			var wg sync.WaitGroup
			for n := range c64s {
				wg.Go(func() {
					addr := fmt.Sprint("c", n)
					got, err := life(r, rand.New(rand.NewPCG(seed, uint64(n))), addr, turns)
					want := ""
					for turn := range turns {
						want += answerTo(fmt.Sprint(addr, ".", turn))
					}
					if diff := cmp.Diff(want, got); err != nil || diff != "" {
						t.Errorf("seed %d, %s: %v\n%s", seed, addr, err, diff)
					}
				})
			}
			wg.Wait()
			time.Sleep(releaseTime)
			synctest.Wait()
			if n := len(r.table.Snapshot()); n != 0 {
				t.Errorf("%d leases are left", n)
			}
		})
	}
}

func TestCutAfterEveryFrameReadGivesTheSameTranscript(t *testing.T) {
	want := answerTo("p")
	for k := 1; ; k++ {
		whole := false
		bubble(t, func(r *rig) {
			answers(r)
			c := r.slow()
			c.read(1)
			c.prompt("p")
			time.Sleep(time.Second)
			c.read(k - 1)
			c.cut()
			var tr transcript
			tr.apply(t, c.take())
			whole = int(tr.applied) < k-1 // all was read before the cut
			c = r.back(c, tr.applied)
			tr.apply(t, c.take())
			if p := prose(tr.all); p != want {
				t.Errorf("cut after %d frames: %q", k, p)
			}
			single[frames.TurnDone](t, tr.all)
		})
		if whole {
			return
		}
		if t.Failed() {
			return
		}
	}
}
