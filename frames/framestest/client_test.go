package framestest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prompt64/prompt64/frames"
)

func TestLeaseInUseIsTriedAgain(t *testing.T) {
	c, p, ctx := start(t, Config{Retry: auto}, func(w *wire) { w.fresh(); w.quiet() },
		func(w *wire) {
			w.hello()
			w.expect(frames.Reconnect{Token: token})
			w.send(frames.Error{Text: text(frames.ErrorLeaseInUse)})
		},
		func(w *wire) {
			w.again(0, false, 0)
			w.quiet()
		})
	c.Cut()
	must(t, c.WaitFor(ctx, func(Transcript) bool { return c.stats.Connects == 2 }))
	must(t, c.WaitAttached(ctx))
	if diff := cmp.Diff([]string{frames.ErrorLeaseInUse}, c.Errors()); diff != "" {
		t.Error(diff)
	}
	c.Close()
	p.finished(3)
}

func TestNotPairedIsNotTriedAgain(t *testing.T) {
	p := newPeer(t, func(w *wire) {
		w.hello()
		w.expect(frames.Pair{Code: [8]byte([]byte("ABCDEFGH"))})
		w.send(frames.Error{Text: text(frames.ErrorNotPaired)})
	}, func(w *wire) { t.Error("tried again") })
	c := New(Config{Dial: p.dial, Code: "ABCDEFGH", Retry: auto})
	defer c.Close()
	var r *Refused
	if err := c.Connect(testContext(t)); !errors.As(err, &r) || r.Text != frames.ErrorNotPaired {
		t.Error(err)
	}
	p.finished(1)
}

func TestNotPairedEndsAnAutomaticReconnect(t *testing.T) {
	c, p, ctx := start(t, Config{Retry: auto}, func(w *wire) { w.fresh(); w.quiet() },
		func(w *wire) {
			w.expect(frames.Hello{})
			w.send(frames.Error{Text: text(frames.ErrorNotPaired)})
		}, func(w *wire) { t.Error("tried again") })
	c.Cut()
	p.finished(2)
	var r *Refused
	if err := c.WaitFor(ctx, func(Transcript) bool { return false }); !errors.As(err, &r) {
		t.Error(err)
	}
}

func TestPlainClientUsesNoExtension(t *testing.T) {
	p := newPeer(t, func(w *wire) {
		w.hello()
		w.expect(frames.LeaseGet{})
		w.send(frames.LeaseState{Token: token, Lifetime: 120})
		w.expect(frames.UserText{Text: text("hi")})
		w.send(frames.ApprovalRequest{Seq: 1})
		w.expect(frames.ApprovalDecision{Decision: frames.CancelTurn})
		w.send(frames.ApprovalAck{Seq: 2}, frames.TurnCancelled{Seq: 3})
		w.quiet()
	})
	c := New(Config{Dial: p.dial, Code: "ABCDEFGH", Plain: true, Quiet: -1})
	defer c.Close()
	ctx := testContext(t)
	must(t, c.Connect(ctx))
	must(t, c.Prompt("hi"))
	a, err := c.WaitApproval(ctx)
	must(t, err)
	must(t, c.Decide(a, frames.CancelTurn))
	if e, err := c.WaitEnd(ctx); err != nil || e.Kind != Cancelled {
		t.Error(e, err)
	}
	c.Close()
	p.finished(1)
}

func TestErrorsReachWhatTheyRefuse(t *testing.T) {
	c, p, ctx := start(t, Config{}, func(w *wire) {
		w.fresh()
		w.expect(frames.UserText{Text: text("no")})
		w.send(frames.Error{Text: text("PROMPT REFUSED")})
		w.expect(frames.UserText{Text: text("yes")})
		w.send(frames.ApprovalRequest{Seq: 1})
		w.expect(decided)
		w.send(frames.Error{Text: text(frames.ErrorApprovalGone)})
		w.expect(frames.DiffGet{Index: 9})
		w.send(frames.Error{Text: text("NO SUCH CHANGE")}, frames.TurnDone{Seq: 2})
		w.quiet()
	})
	if e, err := c.Turn(ctx, "no"); err != nil || e != (Entry{Rejected, 0, "PROMPT REFUSED"}) || c.Editor() != "no" {
		t.Error(e, err, c.Editor())
	}
	must(t, c.Prompt("yes"))
	a, err := c.WaitApproval(ctx)
	must(t, err)
	must(t, c.Decide(a, frames.AcceptOnce))
	if o, err := c.WaitDecided(ctx); err != nil || o.Refusal != frames.ErrorApprovalGone {
		t.Errorf("%+v, %v", o, err)
	}
	var r *Refused
	if _, err := c.Diff(ctx, 9); !errors.As(err, &r) || r.Text != "NO SUCH CHANGE" {
		t.Error(err)
	}
	if s, err := c.WaitError(ctx, 3); err != nil || s != "NO SUCH CHANGE" {
		t.Error(s, err)
	}
	noViolations(t, c)
	c.Close()
	p.finished(1)
}

func TestWaitsEndWithTheirReason(t *testing.T) {
	c, p, ctx := start(t, Config{}, func(w *wire) { w.fresh(); w.quiet() })
	if _, err := c.WaitEnd(ctx); !errors.Is(err, ErrNoTurn) {
		t.Error(err)
	}
	if err := c.Cancel(); !errors.Is(err, ErrNoTurn) {
		t.Error(err)
	}
	if err := c.Decide(Ask{}, frames.Decline); !errors.Is(err, ErrNoTurn) {
		t.Error(err)
	}
	short, cancel := context.WithCancel(ctx)
	cancel()
	if err := c.WaitFor(short, func(Transcript) bool { return false }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	c.Cut()
	p.finished(1)
	must(t, c.Prompt("waits"))
	if err := c.Prompt("second"); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	if _, err := c.WaitEnd(ctx); !errors.Is(err, ErrLinkLost) {
		t.Error(err)
	}
	if _, err := c.Settings(ctx); !errors.Is(err, ErrLinkLost) {
		t.Error(err)
	}
	c.Close()
	if err := c.Reconnect(ctx); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

func TestQuietTurnSendsAHeartbeatAndAMissingAnswerReconnects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent, cut time.Time
		p := newPeer(t, func(w *wire) {
			w.fresh()
			w.expect(frames.UserText{Text: text("hi")})
			w.send(frames.AssistantDelta{Seq: 1, Text: text("a")})
			begin := time.Now()
			w.expect(frames.Heartbeat{})
			w.send(frames.HeartbeatAck{})
			if d := time.Since(begin); d != frames.HeartbeatQuietMS*time.Millisecond {
				t.Errorf("the heartbeat came after %v", d)
			}
			w.expect(frames.Heartbeat{})
			sent = time.Now()
			w.quiet()
			cut = time.Now()
		}, func(w *wire) {
			w.again(1, true, 1)
			w.send(frames.TurnDone{Seq: 2})
			begin := time.Now()
			w.expect(frames.Heartbeat{}) // idle now
			if d := time.Since(begin); d != frames.HeartbeatIdleMS*time.Millisecond {
				t.Errorf("the idle heartbeat came after %v", d)
			}
		})
		c := New(Config{Dial: p.dial, Retry: frames.ReconnectIntervalMS * time.Millisecond})
		defer c.Close()
		must(t, c.Connect(t.Context()))
		if e, err := c.Turn(t.Context(), "hi"); err != nil || e.Kind != Done {
			t.Error(e, err)
		}
		<-p.done
		<-p.done
		if d := cut.Sub(sent); d != frames.HeartbeatAckMS*time.Millisecond {
			t.Errorf("gave up after %v", d)
		}
		if c.Transcript().Text(Assistant) != "a" {
			t.Error(c.Transcript())
		}
	})
}

func TestCutFromInsideOnFrameAppliesNothingMore(t *testing.T) {
	var c *Client
	cfg := Config{OnFrame: func(m frames.Message) {
		if d, ok := m.(frames.AssistantDelta); ok && d.Seq == 1 {
			c.Cut()
		}
	}, Logf: t.Logf, Quiet: -1}
	p := newPeer(t, func(w *wire) {
		w.fresh()
		w.expect(frames.UserText{Text: text("hi")})
		b := frames.AssistantDelta{Seq: 1, Text: text("a")}.AppendTo(nil)
		b = frames.AssistantDelta{Seq: 2, Text: text("b")}.AppendTo(b)
		_, _ = w.conn.Write(b) // the client hangs up in the middle
	})
	cfg.Dial = p.dial
	c = New(cfg)
	defer c.Close()
	must(t, c.Connect(testContext(t)))
	must(t, c.Prompt("hi"))
	p.finished(1)
	if _, err := c.WaitEnd(testContext(t)); !errors.Is(err, ErrLinkLost) {
		t.Error(err)
	}
	if c.Applied() != 1 || c.Transcript().Text(Assistant) != "a" {
		t.Error(c.Applied(), c.Transcript())
	}
}

func TestForbiddenFramesAreNoted(t *testing.T) {
	for name, c := range map[string]struct {
		send []frames.Message
		want string
	}{
		"gap":           {[]frames.Message{frames.AssistantDelta{Seq: 2}}, "gap"},
		"twice":         {[]frames.Message{frames.AssistantDelta{Seq: 1}, frames.AssistantDelta{Seq: 1}}, "on one connection"},
		"two ends":      {[]frames.Message{frames.TurnDone{Seq: 1}, frames.TurnDone{Seq: 2}}, "outside a turn"},
		"two approvals": {[]frames.Message{frames.ApprovalRequest{Seq: 1}, frames.ApprovalRequest{Seq: 2}}, "is pending"},
		"lone ack":      {[]frames.Message{frames.ApprovalAck{Seq: 1}}, "nothing pending"},
		"lone reply":    {[]frames.Message{frames.SettingsState{}}, "nobody asked"},
		"lone beat":     {[]frames.Message{frames.HeartbeatAck{}}, "no Heartbeat"},
		"lone release":  {[]frames.Message{frames.SessionRelease{}}, "nobody asked"},
		"lone replay":   {[]frames.Message{frames.ReconnectDone{}}, "without a replay"},
		"bad value":     {[]frames.Message{frames.SettingsState{Reasoning: 9}}, "REASONING 9"},
	} {
		t.Run(name, func(t *testing.T) {
			cl, p, ctx := start(t, Config{}, func(w *wire) {
				w.fresh()
				w.expect(frames.UserText{Text: text("hi")})
				w.send(c.send...)
				w.quiet()
			})
			must(t, cl.Prompt("hi"))
			must(t, cl.WaitFor(ctx, func(Transcript) bool { return len(cl.violations) > 0 }))
			if v := cl.Violations(); !strings.Contains(v[0], c.want) {
				t.Errorf("%q", v)
			}
			cl.Close()
			p.finished(1)
		})
	}
}

func TestVanishedTurnAndEarlyReconnectDoneAreNoted(t *testing.T) {
	c, p, ctx := start(t, Config{}, func(w *wire) {
		w.fresh()
		w.expect(frames.UserText{Text: text("hi")})
		w.send(frames.AssistantDelta{Seq: 1, Text: text("a")})
		w.quiet()
	}, func(w *wire) { w.again(1, false, 1); w.quiet() }, func(w *wire) { w.again(1, true, 3); w.quiet() })
	must(t, c.Prompt("hi"))
	must(t, c.WaitText(ctx, 1))
	must(t, c.Reconnect(ctx))
	must(t, c.Reattach(ctx))
	if v := c.Violations(); len(v) != 2 || !strings.Contains(v[0], "without a word") || !strings.Contains(v[1], "not behind the latest") {
		t.Errorf("%q", v)
	}
	c.Close()
	p.finished(3)
}
