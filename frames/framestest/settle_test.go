package framestest

import (
	"errors"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prompt64/prompt64/frames"
)

const auto = time.Millisecond

func wantTurn(t *testing.T, c *Client, end Kind, want ...Entry) {
	t.Helper()
	got, err := c.WaitEnd(testContext(t))
	if err != nil || got.Kind != end {
		t.Errorf("end %v, %v; want %v", got, err, end)
	}
	if diff := cmp.Diff(Transcript(want), c.Transcript()); diff != "" {
		t.Error(diff)
	}
	noViolations(t, c)
}

func TestTurnWithoutCutIsTranscribed(t *testing.T) {
	c, p, ctx := start(t, Config{}, func(w *wire) {
		w.fresh()
		w.expect(frames.UserText{Text: text("hi")})
		w.send(frames.ReasoningDelta{Seq: 1, Text: text("hm")}, frames.AssistantDelta{Seq: 2, Text: text("He")},
			frames.AssistantDelta{Seq: 3, Text: text("llo\n")}, frames.ActivityEvent{Seq: 4, Lifecycle: frames.ActivityStarted, Label: text("ls")},
			frames.ApprovalRequest{Seq: 5, Kind: frames.KindFile, Summary: text("write a")})
		w.expect(frames.ApprovalDecision{Decision: frames.Decline, Named: true, Request: 5})
		w.send(frames.ApprovalAck{Seq: 6}, frames.TurnDone{Seq: 7})
		w.quiet()
	})
	must(t, c.Prompt("hi"))
	a, err := c.WaitApproval(ctx)
	must(t, err)
	if want := (Ask{5, frames.KindFile, "write a"}); a != want {
		t.Errorf("%+v", a)
	}
	must(t, c.Decide(a, frames.Decline))
	if o, err := c.WaitDecided(ctx); err != nil || !o.Acked {
		t.Errorf("%+v, %v", o, err)
	}
	wantTurn(t, c, Done, Entry{User, 0, "hi"}, Entry{Reasoning, 0, "hm"}, Entry{Assistant, 0, "Hello\n"},
		Entry{Activity, 0, "ls"}, Entry{Approval, 1, "write a"}, Entry{Decided, 0, ""}, Entry{Done, 0, ""})
	if c.Applied() != 7 {
		t.Error(c.Applied())
	}
	c.Close()
	p.finished(1)
}

func TestPromptThatWasNotTakenIsSentAgainOnce(t *testing.T) {
	c, p, _ := start(t, Config{Retry: auto}, func(w *wire) {
		w.fresh()
		w.expect(frames.UserText{Text: text("hi")})
	}, func(w *wire) {
		w.again(0, false, 0)
		w.expect(frames.UserText{Text: text("hi")})
		w.send(frames.TurnDone{Seq: 1})
		w.quiet()
	})
	must(t, c.Prompt("hi"))
	wantTurn(t, c, Done, Entry{User, 0, "hi"}, Entry{Done, 0, ""})
	c.Close()
	p.finished(2)
	if s := c.Stats(); s.Resent != 1 || s.Connects != 2 {
		t.Errorf("%+v", s)
	}
}

func TestPromptThatWasTakenIsNotSentAgain(t *testing.T) {
	for name, again := range map[string]func(*wire){
		"active": func(w *wire) {
			w.again(0, true, 0)
			w.send(frames.TurnDone{Seq: 1})
		},
		"newer sequence": func(w *wire) { w.again(0, false, 1, frames.TurnDone{Seq: 1}) },
	} {
		t.Run(name, func(t *testing.T) {
			c, p, _ := start(t, Config{Retry: auto}, func(w *wire) {
				w.fresh()
				w.expect(frames.UserText{Text: text("hi")})
			}, func(w *wire) {
				again(w)
				w.quiet()
			})
			must(t, c.Prompt("hi"))
			wantTurn(t, c, Done, Entry{User, 0, "hi"}, Entry{Done, 0, ""})
			c.Close()
			p.finished(2)
		})
	}
}

// asking plays a turn up to an approval with sequence 1.
func asking(w *wire) {
	w.fresh()
	w.expect(frames.UserText{Text: text("hi")})
	w.send(frames.ApprovalRequest{Seq: 1, Summary: text("run ls")})
}

var decided = frames.ApprovalDecision{Decision: frames.AcceptOnce, Named: true, Request: 1}

func TestDecisionIsSettledByTheReplayOrSentAgain(t *testing.T) {
	for name, second := range map[string]func(*wire){
		"not received": func(w *wire) {
			w.again(1, true, 1)
			w.expect(decided)
			w.send(frames.ApprovalAck{Seq: 2}, frames.TurnDone{Seq: 3})
		},
		"acknowledged": func(w *wire) {
			w.again(1, true, 2, frames.ApprovalAck{Seq: 2})
			w.send(frames.TurnDone{Seq: 3})
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, p, ctx := start(t, Config{Retry: auto}, func(w *wire) {
				asking(w)
				w.expect(decided)
			}, func(w *wire) {
				second(w)
				w.quiet()
			})
			must(t, c.Prompt("hi"))
			a, err := c.WaitApproval(ctx)
			must(t, err)
			must(t, c.Decide(a, frames.AcceptOnce))
			wantTurn(t, c, Done, Entry{User, 0, "hi"}, Entry{Approval, 0, "run ls"}, Entry{Decided, 0, ""}, Entry{Done, 0, ""})
			if o, err := c.WaitDecided(ctx); err != nil || !o.Acked {
				t.Errorf("%+v, %v", o, err)
			}
			c.Close()
			p.finished(2)
		})
	}
}

func TestEndOfTheTurnSettlesADecision(t *testing.T) {
	c, p, ctx := start(t, Config{Retry: auto}, func(w *wire) {
		asking(w)
		w.expect(decided)
	}, func(w *wire) {
		w.again(1, false, 2, frames.TurnCancelled{Seq: 2})
		w.quiet()
	})
	must(t, c.Prompt("hi"))
	a, err := c.WaitApproval(ctx)
	must(t, err)
	must(t, c.Decide(a, frames.AcceptOnce))
	if o, err := c.WaitDecided(ctx); err != nil || !o.ByEnd {
		t.Errorf("%+v, %v", o, err)
	}
	must(t, c.WaitAttached(ctx))
	c.Close()
	p.finished(2)
	noViolations(t, c)
}

func TestDecisionMadeWhileAwayGoesOutAfterTheReplay(t *testing.T) {
	c, p, ctx := start(t, Config{}, func(w *wire) {
		asking(w)
		w.quiet()
	}, func(w *wire) {
		w.again(1, true, 1)
		w.expect(decided)
		w.send(frames.ApprovalAck{Seq: 2}, frames.TurnDone{Seq: 3})
		w.quiet()
	})
	must(t, c.Prompt("hi"))
	a, err := c.WaitApproval(ctx)
	must(t, err)
	c.Cut()
	must(t, c.Decide(a, frames.AcceptOnce))
	if _, err := c.WaitDecided(ctx); !errors.Is(err, ErrLinkLost) {
		t.Error(err)
	}
	must(t, c.Reconnect(ctx))
	wantTurn(t, c, Done, Entry{User, 0, "hi"}, Entry{Approval, 0, "run ls"}, Entry{Decided, 0, ""}, Entry{Done, 0, ""})
	c.Close()
	p.finished(2)
}

func TestCancelIsRepeatedWhileTheTurnRuns(t *testing.T) {
	c, p, _ := start(t, Config{Retry: auto}, func(w *wire) {
		w.fresh()
		w.expect(frames.UserText{Text: text("hi")})
		w.send(frames.AssistantDelta{Seq: 1, Text: text("a")})
		w.expect(frames.TurnCancel{})
	}, func(w *wire) {
		w.again(1, true, 1)
		w.expect(frames.TurnCancel{})
		w.send(frames.TurnCancelled{Seq: 2})
		w.quiet()
	})
	must(t, c.Prompt("hi"))
	must(t, c.WaitText(testContext(t), 1))
	must(t, c.Cancel())
	wantTurn(t, c, Cancelled, Entry{User, 0, "hi"}, Entry{Assistant, 0, "a"}, Entry{Cancelled, 0, ""})
	c.Close()
	p.finished(2)
}

func TestReleaseIsRepeatedAndExpiryAcknowledgesIt(t *testing.T) {
	for name, second := range map[string]func(*wire){
		"repeated": func(w *wire) {
			w.again(0, false, 0)
			w.expect(frames.SessionRelease{})
			w.send(frames.SessionRelease{})
		},
		"expired": func(w *wire) {
			w.hello()
			w.expect(frames.Reconnect{Token: token})
			w.send(frames.Error{Text: text(frames.ErrorLeaseExpired)})
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, p, ctx := start(t, Config{Retry: auto}, func(w *wire) {
				w.fresh()
				w.expect(frames.SessionRelease{})
			}, second)
			must(t, c.Release(ctx))
			p.finished(2)
			if err := c.Reconnect(ctx); !errors.Is(err, ErrNoLease) {
				t.Error(err)
			}
			noViolations(t, c)
		})
	}
}

func TestPromptGoesBackToTheEditorWhenTheLeaseExpired(t *testing.T) {
	c, p, _ := start(t, Config{Retry: auto}, func(w *wire) {
		w.fresh()
		w.expect(frames.UserText{Text: text("hi")})
	}, func(w *wire) {
		w.hello()
		w.expect(frames.Reconnect{Token: token})
		w.send(frames.Error{Text: text(frames.ErrorLeaseExpired)})
	})
	must(t, c.Prompt("hi"))
	wantTurn(t, c, Lost, Entry{User, 0, "hi"}, Entry{Lost, 0, frames.ErrorLeaseExpired})
	if c.Editor() != "hi" {
		t.Errorf("%q", c.Editor())
	}
	var r *Refused
	if err := c.WaitAttached(testContext(t)); !errors.As(err, &r) || r.Text != frames.ErrorLeaseExpired {
		t.Error(err)
	}
	p.finished(2)
}

func TestFrameIsAppliedAtOnceOrNotAtAll(t *testing.T) {
	whole := frames.AssistantDelta{Seq: 1, Text: text("once")}
	b := whole.AppendTo(nil)
	for k := range len(b) + 1 {
		c, p, _ := start(t, Config{Retry: auto}, func(w *wire) {
			w.fresh()
			w.expect(frames.UserText{Text: text("hi")})
			if _, err := w.conn.Write(b[:k]); err != nil && err != io.ErrClosedPipe {
				t.Error(err)
			}
		}, func(w *wire) {
			if k == len(b) {
				w.again(1, true, 1)
			} else {
				w.again(0, true, 1, whole)
			}
			w.send(frames.TurnDone{Seq: 2})
			w.quiet()
		})
		must(t, c.Prompt("hi"))
		wantTurn(t, c, Done, Entry{User, 0, "hi"}, Entry{Assistant, 0, "once"}, Entry{Done, 0, ""})
		c.Close()
		p.finished(2)
	}
}

func TestRestartedProgramReceivesTheWholeTurnAgain(t *testing.T) {
	c, p, ctx := start(t, Config{}, func(w *wire) {
		w.fresh()
		w.expect(frames.UserText{Text: text("hi")})
		w.send(frames.AssistantDelta{Seq: 1, Text: text("a")})
		w.quiet()
	})
	must(t, c.Prompt("hi"))
	must(t, c.WaitText(ctx, 1))
	rec := c.Record()
	c.Close()
	p.finished(1)
	p = newPeer(t, func(w *wire) {
		w.again(0, true, 1, frames.AssistantDelta{Seq: 1, Text: text("a")})
		w.send(frames.TurnDone{Seq: 2})
		w.quiet()
	})
	c = New(Config{Dial: p.dial, Record: &rec, Quiet: -1})
	defer c.Close()
	must(t, c.Reconnect(ctx))
	wantTurn(t, c, Done, Entry{Assistant, 0, "a"}, Entry{Done, 0, ""})
	c.Close()
	p.finished(1)
}
