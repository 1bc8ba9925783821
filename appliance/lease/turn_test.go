package lease

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

func TestTurnStreamsAndEndsOnce(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("hello")
		s := r.session(1)
		s.Text("Hi ")
		s.Text("there.")
		end(s)
		got := c.take()
		if p := prose(got); p != "Hi there." {
			t.Errorf("prose is %q: %s", p, show(got))
		}
		single[frames.TurnDone](t, got)
		s.Text("late") // belongs to nothing
		s.End(provider.EndFailed, "twice")
		if got := c.take(); len(got) != 0 {
			t.Errorf("after the end: %s", show(got))
		}
	})
}

func TestPromptReachesTheAgentInUnicode(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.send(frames.UserText{Text: []byte("a\xC0b\nc")})
		r.session(1)
		if p := r.agent.Calls(providertest.OpStart)[0].Prompt; p != "a\u2500b\nc" {
			t.Errorf("prompt %q", p)
		}
	})
}

func TestRefusedPromptChangesNothing(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		for _, text := range []string{"", "  \n ", "bell \a"} {
			if err := c.att.Request(frames.Frame{Type: frames.TypeUserText, Payload: []byte(text)}); err != nil {
				t.Error(err)
			}
			if e := refusal(t, c.take()); !strings.HasPrefix(e, "PROMPT") {
				t.Errorf("prompt %q refused with %q", text, e)
			}
		}
		c.prompt("work")
		c.prompt("more")
		if e := refusal(t, c.take()); !strings.HasPrefix(e, "PROMPT") {
			t.Errorf("refused with %q", e)
		}
		if n := r.agent.Count(providertest.OpStart); n != 1 {
			t.Errorf("%d turns", n)
		}
	})
}

// TestPromptIsTakenExactlyOnce cuts the wire around a prompt; the C64 sends it
// again only if the reconnect proves that it was not taken.
func TestPromptIsTakenExactlyOnce(t *testing.T) {
	for _, arrived := range []bool{true, false} {
		for _, fate := range []string{"runs", "said something", "is over", "waits for the agent"} {
			t.Run(fmt.Sprintf("arrived=%v/turn %s", arrived, fate), func(t *testing.T) {
				bubble(t, func(r *rig) {
					c := r.dial()
					c.prompt("before")
					s := r.session(1)
					end(s)
					applied := sequences(c.take())[0]
					free := func() {}
					if fate == "waits for the agent" {
						free = r.agent.Block(providertest.OpStart)
					}
					if arrived {
						c.prompt("the one")
						switch fate {
						case "said something":
							s.Text("hello")
						case "is over":
							s.Text("hello")
							end(s)
						}
					}
					c.cut()
					time.Sleep(5 * time.Second)
					c = r.back(c, applied)
					got := c.take()
					state := single[frames.ReconnectState](t, got)
					taken := state.Active || frames.Newer(state.Latest, applied)
					if taken != arrived {
						t.Errorf("taken by the state %+v: %v", state, taken)
					}
					if !taken {
						c.prompt("the one")
					}
					free()
					synctest.Wait()
					n := 0
					for _, call := range r.agent.Calls(providertest.OpStart) {
						if call.Prompt == "the one" {
							n++
						}
					}
					if n != 1 {
						t.Errorf("the agent got the prompt %d times", n)
					}
				})
			})
		}
	}
}

func TestCancelEndsTheTurnWhereverItIs(t *testing.T) {
	for _, op := range []providertest.Op{"", providertest.OpOpen, providertest.OpStart} {
		t.Run("blocked in "+string(op), func(t *testing.T) {
			bubble(t, func(r *rig) {
				free := func() {}
				if op != "" {
					free = r.agent.Block(op)
				}
				c := r.dial()
				c.prompt("work")
				c.send(frames.TurnCancel{})
				free()
				time.Sleep(6 * time.Second)
				single[frames.TurnCancelled](t, c.take())
				c.send(frames.TurnCancel{})
				c.refused("NO TURN TO CANCEL")
			})
		})
	}
}

func TestAgentThatHangsInOpenIsGivenUp(t *testing.T) {
	bubble(t, func(r *rig) {
		free := make(chan struct{})
		r.agent.On(providertest.OpOpen, func(context.Context, providertest.Call) error {
			<-free // whatever its context says
			return nil
		})
		c := r.dial()
		c.prompt("work")
		c.send(frames.TurnCancel{})
		time.Sleep(5*time.Second + time.Millisecond)
		single[frames.TurnCancelled](t, c.take())
		close(free)
		synctest.Wait()
		if n := r.agent.Count(providertest.OpClose); n != 1 {
			t.Errorf("the session that came late was closed %d times", n)
		}
	})
}

func TestStuckAgentIsKilledAndTheSessionOpenedAnew(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("work")
		s := r.session(1)
		s.IgnoreCancel(true)
		c.send(frames.TurnCancel{})
		time.Sleep(2 * time.Second)
		c.send(frames.TurnCancel{}) // a repeat after a reconnect is fine, and changes nothing
		time.Sleep(2999 * time.Millisecond)
		if got := c.take(); len(only[frames.TurnCancelled](got))+len(only[frames.Error](got)) != 0 {
			t.Errorf("gave up too early, or refused a repeat: %s", show(got))
		}
		if n := r.agent.Count(providertest.OpCancel); n != 1 {
			t.Errorf("the agent was asked %d times", n)
		}
		time.Sleep(2 * time.Millisecond)
		single[frames.TurnCancelled](t, c.take())
		c.prompt("again")
		if got := r.session(2).Spec().SessionID; got == "" || got != s.ID() {
			t.Errorf("opened %q, want %q", got, s.ID())
		}
	})
}

func TestLateCancelDoesNotHitTheNextTurn(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("one")
		s := r.session(1)
		free := r.agent.Block(providertest.OpCancel)
		c.send(frames.TurnCancel{})
		end(s) // by itself, in the same moment
		c.prompt("two")
		if n := r.agent.Count(providertest.OpStart); n != 1 {
			t.Error("the next turn began while a cancel is under way")
		}
		free()
		synctest.Wait()
		if !s.Active() || r.agent.Count(providertest.OpStart) != 2 {
			t.Error("the next turn does not run")
		}
		if n := len(only[frames.TurnDone](c.take())); n != 1 {
			t.Errorf("%d ends", n)
		}
	})
}

func TestDeathInATurnFailsItInWordsAndTheNextPromptResumes(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("work")
		s := r.session(1)
		s.Text("half an ans")
		s.Die("out of memory")
		got := c.take()
		if f := single[frames.TurnFailed](t, got); string(f.Summary) != "out of memory" || prose(got) != "half an ans" {
			t.Errorf("got %s", show(got))
		}
		c.prompt("again")
		time.Sleep(backoffFirst)
		next := r.session(2)
		if next.Spec().SessionID != s.ID() {
			t.Errorf("resumed %q", next.Spec().SessionID)
		}
		end(next)
		single[frames.TurnDone](t, c.take())
	})
}

func TestAgentThatKeepsDyingIsStartedMoreAndMoreSeldom(t *testing.T) {
	bubble(t, func(r *rig) {
		r.agent.Fail(providertest.OpOpen, errors.New("no such program"))
		c := r.dial()
		var waits []time.Duration
		for range 9 {
			began := time.Now()
			c.prompt("work")
			for len(only[frames.TurnFailed](c.take())) == 0 {
				time.Sleep(100 * time.Millisecond)
			}
			waits = append(waits, time.Since(began).Round(100*time.Millisecond))
		}
		if waits[0] != 0 || waits[1] != backoffFirst || waits[3] != 4*backoffFirst || waits[8] != backoffLongest {
			t.Errorf("waits %v", waits)
		}
		r.agent.Fail(providertest.OpOpen, nil)
		c.prompt("work")
		c.send(frames.TurnCancel{}) // also while it waits to be started
		single[frames.TurnCancelled](t, c.take())
		time.Sleep(backoffLongest)
		c.prompt("work")
		end(r.session(1))
		r.session(1).Die("again")
		c.take()
		c.prompt("work") // a turn went well, so this is the first death
		time.Sleep(backoffFirst)
		end(r.session(2))
	})
}

func TestAdviceOfAnAgentThatDoesNotStartStandsAlone(t *testing.T) {
	bubble(t, func(r *rig) {
		advice := &provider.Advice{Words: "Install it first.", Err: errors.New("no such file")}
		r.agent.Fail(providertest.OpOpen, fmt.Errorf("open session: %w", advice))
		c := r.dial()
		c.prompt("work")
		if f := single[frames.TurnFailed](t, c.take()); string(f.Summary) != "Install it first." {
			t.Errorf("failed with %q", f.Summary)
		}
	})
}

func TestAgentThatDiedBetweenTurnsIsStartedForTheNextPrompt(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("one")
		s := r.session(1)
		end(s)
		r.agent.Fail(providertest.OpStart, provider.ErrClosed) // it died, and nobody noticed
		c.take()
		c.prompt("two")
		r.agent.Fail(providertest.OpStart, nil)
		time.Sleep(time.Second)
		end(r.session(2))
		single[frames.TurnDone](t, c.take())
	})
}

func TestSessionThatNoLongerExistsIsSaidAndForgotten(t *testing.T) {
	bubble(t, func(r *rig) {
		stored(r)
		c := r.dial()
		c.send(frames.SessionListGet{})
		c.send(frames.SessionSelect{Index: 0})
		r.agent.Fail(providertest.OpOpen, provider.ErrNoSession)
		c.take()
		c.prompt("work")
		if f := single[frames.TurnFailed](t, c.take()); !strings.Contains(string(f.Summary), "no longer exists") {
			t.Errorf("failed with %q", f.Summary)
		}
		r.agent.Fail(providertest.OpOpen, nil)
		c.prompt("work")
		if id := r.session(1).Spec().SessionID; id != "" {
			t.Errorf("opened %q", id)
		}
	})
}

func TestFailureWithoutWordsGetsSome(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("work")
		r.session(1).End(provider.EndFailed, "")
		if f := single[frames.TurnFailed](t, c.take()); len(f.Summary) == 0 {
			t.Error("no words")
		}
	})
}

func TestSettingsDuringATurnTakeEffectWithTheNext(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("one")
		s := r.session(1)
		c.send(frames.AccessSet{Access: frames.AccessAutoReview})
		c.send(frames.SettingsSet{Reasoning: frames.ReasoningOff})
		got := c.take()
		if a := single[frames.AccessState](t, got); a.Access != frames.AccessAutoReview {
			t.Errorf("access %+v", a)
		}
		if st := single[frames.SettingsState](t, got); st.Reasoning != frames.ReasoningOff {
			t.Errorf("settings %+v", st)
		}
		s.Push(provider.ReasoningEvent{Text: "still shown"})
		end(s)
		if len(only[frames.ReasoningDelta](c.take())) != 1 {
			t.Error("reasoning changed in the turn")
		}
		c.prompt("two")
		calls := r.agent.Calls(providertest.OpStart)
		if calls[0].Options.Access != frames.AccessAsk || calls[1].Options.Access != frames.AccessAutoReview {
			t.Errorf("turns had %+v and %+v", calls[0].Options, calls[1].Options)
		}
	})
}

func TestDefaultsOfTheDeviceRuleAFreshLease(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.send(frames.SettingsGet{})
		if s := single[frames.SettingsState](t, c.take()); s.Reasoning != frames.ReasoningOff || s.Display != 1 {
			t.Errorf("settings %+v", s)
		}
	}, func(cfg *Config) {
		cfg.Defaults = func() Settings { return Settings{Display: 1} }
	})
	if d := DefaultSettings(); d != (Settings{Access: frames.AccessAsk, Reasoning: frames.ReasoningSummary}) {
		t.Errorf("defaults %+v", d)
	}
}

func TestAgentThatDoesNotTakeThePromptIsLeftForAFreshOne(t *testing.T) {
	bubble(t, func(r *rig) {
		free := r.agent.Block(providertest.OpStart)
		c := r.dial()
		c.prompt("work")
		time.Sleep(callTime)
		if f := single[frames.TurnFailed](t, c.take()); !strings.Contains(string(f.Summary), "took too long") {
			t.Errorf("failed with %q", f.Summary)
		}
		free()
		r.agent.Fail(providertest.OpStart, nil)
		c.prompt("work")
		end(r.session(2))
		single[frames.TurnDone](t, c.take())
	})
}
