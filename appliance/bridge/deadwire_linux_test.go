package bridge

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/frames"
)

// hasty is the shortest keepalive that the kernel has: four seconds in all.
func hasty() tuning {
	t := patient()
	t.keepIdle, t.keepInterval, t.keepCount = time.Second, time.Second, 3
	t.watch = 50 * time.Millisecond
	return t
}

// back takes a lease up from a connection that has not greeted yet.
func (p *peer) back(token frames.Token, applied uint16) (words string) {
	p.t.Helper()
	p.greet()
	p.send(frames.Reconnect{Token: token, Applied: applied})
	f, err := p.frames.Next()
	if err != nil {
		p.t.Fatal(err)
	}
	if f.Type == frames.TypeError {
		return string(f.Payload)
	}
	return ""
}

// answer reads deltas up to the end of the turn.
func (p *peer) answer() (text string, applied uint16) {
	p.t.Helper()
	for {
		f, err := p.frames.Next()
		if err != nil {
			p.t.Fatalf("behind %q: %v", text, err)
		}
		if seq, ok := frames.Sequence(f); ok {
			applied = seq
		}
		switch f.Type {
		case frames.TypeAssistantDelta:
			text += string(f.Payload[2:])
		case frames.TypeTurnDone:
			return text, applied
		case frames.TypeTurnFailed, frames.TypeError:
			p.t.Fatalf("behind %d bytes: %q", len(text), f.Payload)
		}
	}
}

func TestC64InABlackHoleIsDetachedAndLosesNothing(t *testing.T) {
	for name, prompt := range map[string]string{"idle": "", "streaming": "/slow 100 50"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCable(t)
			s := c.serve(hasty())
			p := c.dial(s, c64Addr)
			token := p.lease()
			if prompt != "" {
				p.send(frames.UserText{Text: []byte(prompt)})
				if _, err := p.frames.Next(); err != nil {
					t.Fatal(err)
				}
			}
			c.blackHole()
			eventually(t, "the lease is detached", func() bool { return s.State().Attached == 0 })
			c.mend()
			again := c.dial(s, c64Addr)
			if words := again.back(token, 0); words != "" {
				t.Fatal(words)
			}
			if prompt == "" {
				again.expect(frames.ReconnectDone{})
				return
			}
			if text, _ := again.answer(); !strings.HasPrefix(text, "delta 1 ") || !strings.HasSuffix(text, " delta 100") {
				t.Errorf("the answer is %q", text)
			}
		})
	}
}

func TestC64WhoseCableWasPulledIsDetached(t *testing.T) {
	t.Parallel()
	c := newCable(t)
	s := c.serve(hasty())
	c.dial(s, c64Addr).lease()
	c.ip("-n", c.c64s, "link", "set", "far", "down")
	eventually(t, "the lease is detached", func() bool { return s.State().Attached == 0 })
}

func TestDeadLineIsTakenOverLongBeforeItIsDetached(t *testing.T) {
	t.Parallel()
	c := newCable(t)
	tune := patient()
	tune.stale = 10 * time.Second // more than the hole takes to make on a busy machine
	s := c.serve(tune)
	token := c.dial(s, c64Addr).lease()
	c.hole(c64Addr)
	if words := c.dial(s, otherAddr).back(token, 0); words != frames.ErrorLeaseInUse {
		t.Fatalf("a line that was alive just now: %q", words)
	}
	eventually(t, "the lease is taken over", func() bool { return c.dial(s, otherAddr).back(token, 0) == "" })
}

func TestC64WhoseWindowIsClosedIsNeverDetached(t *testing.T) {
	t.Parallel()
	c := newCable(t)
	tune := hasty()
	s := c.serve(tune)
	p := c.dial(s, c64Addr)
	if err := p.Conn.(*net.TCPConn).SetReadBuffer(2048); err != nil {
		t.Fatal(err)
	}
	p.lease()
	p.send(frames.UserText{Text: []byte("/big 56")})
	time.Sleep(2 * tune.silence()) // frozen in its menu
	if s.State().Attached != 1 {
		t.Fatalf("a C64 that is only slow was detached:\n%s", s.log)
	}
	_ = p.SetDeadline(time.Now().Add(patience))
	if text, _ := p.answer(); len(text) < 56*1024 {
		t.Errorf("%d bytes arrived", len(text))
	}
}

func TestShortHoleCostsTheConnectionNothing(t *testing.T) {
	t.Parallel()
	c := newCable(t)
	s := c.serve(patient())
	p := c.dial(s, c64Addr)
	p.lease()
	p.send(frames.UserText{Text: []byte("/slow 40 50")})
	if _, err := p.frames.Next(); err != nil {
		t.Fatal(err)
	}
	c.blackHole()
	time.Sleep(time.Second)
	c.mend()
	if text, _ := p.answer(); !strings.HasSuffix(text, " delta 40") {
		t.Errorf("the answer is %q", text)
	}
}
