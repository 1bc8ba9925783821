package bridge

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
)

func TestConversationThroughTheWholeStack(t *testing.T) {
	s := startStack(t, patient(), NewPairing(rightCode, nil))
	ctx := within(t)
	c := s.client(t, s.folder(t, "one"), func(cfg *framestest.Config) { cfg.Code = rightCode })
	if err := c.Connect(ctx); err != nil {
		t.Fatal(err)
	}
	if err := c.Prompt("/write hello.txt from the c64"); err != nil {
		t.Fatal(err)
	}
	ask := must[framestest.Ask](t)(c.WaitApproval(ctx))
	if lines := must[[]framestest.Line](t)(c.Detail(ctx, ask.Request)); len(lines) == 0 {
		t.Error("the approval has no detail")
	}
	if err := c.Decide(ask, frames.AcceptOnce); err != nil {
		t.Fatal(err)
	}
	if end := must[framestest.Entry](t)(c.WaitEnd(ctx)); end.Kind != framestest.Done {
		t.Errorf("the turn ended with %+v", end)
	}
	if got := s.read(t, "one/hello.txt"); got != "from the c64\n" {
		t.Errorf("the file holds %q", got)
	}
	if end := must[framestest.Entry](t)(c.Turn(ctx, "/stream 8192")); end.Kind != framestest.Done {
		t.Errorf("the turn ended with %+v", end)
	}
	if n := len(c.Transcript().Turn().Text(framestest.Assistant)); n < 8192 {
		t.Errorf("%d bytes of text", n)
	}
	if err := c.Heartbeat(ctx); err != nil {
		t.Error(err)
	}
	if err := c.Release(ctx); err != nil {
		t.Error(err)
	}
	if v := c.Violations(); len(v) > 0 {
		t.Errorf("the bridge broke the protocol: %q", v)
	}
	eventually(t, "the connection is closed after the release", func() bool { return s.State().Attached == 0 })
	if strings.Contains(s.log.String(), rightCode) {
		t.Error("the log holds the pairing code")
	}
}

func TestFramingFaultOnALeaseIsNamedAndDetachesIt(t *testing.T) {
	s := startStack(t, patient(), open())
	for name, frame := range map[string][]byte{
		"unknown type":   {0x99, 0, 0, 0},
		"bridge's type":  frames.TurnDone{}.AppendTo(nil),
		"oversized":      {byte(frames.TypeUserText), 0, 0x01, 0x03},
		"short settings": frames.AppendFrame(nil, frames.TypeSettingsSet, 0, nil),
		"half sequence":  frames.AppendFrame(nil, frames.TypeApprovalDecision, 0, []byte{0, 1}),
	} {
		t.Run(name, func(t *testing.T) {
			p := s.dial(t)
			token := p.lease()
			p.send(frames.SettingsGet{})
			if _, err := p.Write(frame); err != nil {
				t.Fatal(err)
			}
			p.expect(frames.SettingsState{Reasoning: frames.ReasoningSummary})
			if words := p.words(); words == "" {
				t.Error("no words")
			}
			p.expectEnd()
			again := s.dial(t) // while the faulty one still lingers
			again.greet()
			again.send(frames.Reconnect{Token: token})
			again.expect(frames.ReconnectState{Token: token})
			again.expect(frames.ReconnectDone{})
		})
	}
}

func TestStateFaultsLeaveTheConnectionOpen(t *testing.T) {
	s := startStack(t, patient(), open())
	p := s.dial(t)
	token := p.lease()
	for name, m := range map[string]frames.Message{
		"second lease":       frames.LeaseGet{},
		"second reconnect":   frames.Reconnect{Token: token},
		"second greeting":    frames.Hello{},
		"late pairing":       pairWith(rightCode),
		"cancel of nothing":  frames.TurnCancel{},
		"access 3":           frames.AccessSet{Access: 3},
		"tab 9":              frames.DashboardGet{Tab: 9},
		"empty prompt":       frames.UserText{},
		"decision on none":   frames.ApprovalDecision{},
		"path that is not":   frames.WorkspaceSet{Path: []byte("nowhere")},
		"detail of nothing":  frames.ApprovalDetailGet{Request: 7},
		"diff of nothing":    frames.DiffGet{Index: 3},
		"session of no list": frames.SessionSelect{Index: 3},
	} {
		p.send(m)
		if words := p.words(); words == "" {
			t.Errorf("%s: no words", name)
		}
		p.send(frames.Heartbeat{})
		p.expect(frames.HeartbeatAck{})
	}
}

func TestReconnectWithAStrangeTokenIsRefused(t *testing.T) {
	s := startStack(t, patient(), open())
	p := s.dial(t)
	p.greet()
	p.send(frames.Reconnect{Token: frames.Token{1, 2, 3}})
	p.refused("LEASE EXPIRED")
}

func TestReconnectDoesNotDisturbTheC64ThatIsAttached(t *testing.T) {
	s := startStack(t, patient(), open())
	p := s.dial(t)
	token := p.lease()
	thief := s.dial(t)
	thief.greet()
	thief.send(frames.Reconnect{Token: token})
	thief.refused("LEASE IN USE")
	p.send(frames.Heartbeat{})
	p.expect(frames.HeartbeatAck{})
}

func TestSocketThatOutlivedItsC64IsTakenOver(t *testing.T) {
	tune := patient()
	tune.stale = time.Millisecond
	s := startStack(t, tune, open())
	old := s.dial(t)
	token := old.lease()
	time.Sleep(2 * tune.stale) // the rule is about silence, so the test must be silent
	var again *peer
	eventually(t, "the silent lease is handed over", func() bool {
		again = s.dial(t)
		again.greet()
		again.send(frames.Reconnect{Token: token})
		f, err := again.frames.Next()
		return err == nil && f.Type == frames.TypeReconnectState
	})
	again.expect(frames.ReconnectDone{})
	old.gone()
	again.send(frames.Heartbeat{})
	again.expect(frames.HeartbeatAck{})
}

func TestQuietC64KeepsItsAttachment(t *testing.T) {
	tune := patient()
	tune.stale, tune.watch = time.Millisecond, time.Millisecond
	s := startStack(t, tune, open())
	p := s.dial(t)
	p.lease()
	time.Sleep(20 * tune.watch)
	p.send(frames.Heartbeat{})
	p.expect(frames.HeartbeatAck{})
}

func TestReleaseIsAcknowledgedThenTheConnectionEnds(t *testing.T) {
	s := startStack(t, patient(), open())
	p := s.dial(t)
	token := p.lease()
	p.send(frames.SessionRelease{}, frames.SettingsGet{}, frames.Heartbeat{})
	p.expect(frames.SessionRelease{})
	p.expectEnd()
	late := s.dial(t)
	late.greet()
	late.send(frames.Reconnect{Token: token})
	late.refused("LEASE EXPIRED")
}

// tightListener gives its connections buffers so small that a write blocks soon.
type tightListener struct{ net.Listener }

func (l tightListener) Accept() (net.Conn, error) {
	nc, err := l.Listener.Accept()
	if err == nil {
		err = nc.(*net.TCPConn).SetWriteBuffer(2048)
	}
	return nc, err
}

// A C64 that is frozen in its menu does not read for minutes: its window closes,
// the bridge's write blocks, and everybody else is served.
func TestC64ThatDoesNotReadHurtsNobodyAndLosesNothing(t *testing.T) {
	tune := patient()
	tune.watch = time.Millisecond
	s := startStack(t, tune, open())
	ctx := within(t)
	l := tightListener{listenTCP(t)}
	serving, stop := context.WithCancel(ctx)
	served := make(chan error, 1)
	go func() { served <- s.Serve(serving, l) }()
	frozen := dialTCP(t, l)
	if err := frozen.Conn.(*net.TCPConn).SetReadBuffer(2048); err != nil {
		t.Fatal(err)
	}
	frozen.lease()
	const kib = 40
	frozen.send(frames.UserText{Text: fmt.Appendf(nil, "/big %d", kib)})
	other := s.client(t, s.folder(t, "other"), nil)
	if err := other.Connect(ctx); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if end := must[framestest.Entry](t)(other.Turn(ctx, "/stream 4000")); end.Kind != framestest.Done {
			t.Fatalf("the turn ended with %+v", end)
		}
	}
	text := 0
	for {
		f, err := frozen.frames.Next()
		if err != nil {
			t.Fatalf("the frozen C64 lost its connection: %v", err)
		}
		if f.Type == frames.TypeAssistantDelta {
			text += len(f.Payload) - 2
		}
		if f.Type == frames.TypeTurnDone {
			break
		}
	}
	if text < kib<<10 {
		t.Errorf("%d bytes of text arrived", text)
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestShutdownDetachesEveryC64(t *testing.T) {
	s := startStack(t, patient(), open())
	var peers []*peer
	for range 3 {
		p := s.dial(t)
		p.lease()
		peers = append(peers, p)
	}
	eventually(t, "all are attached", func() bool { return s.State().Attached == 3 })
	if err := s.Shutdown(within(t)); err != nil {
		t.Fatal(err)
	}
	for _, p := range peers {
		p.gone()
	}
	attached := 0
	for _, info := range s.leases.Snapshot() {
		if info.Attached {
			attached++
		}
	}
	if diff := cmp.Diff(State{}, s.State()); diff != "" || attached != 0 {
		t.Errorf("%d leases attached, state (-want +got):\n%s", attached, diff)
	}
}

func TestLineThatIsPairedByNatureNeedsNoCode(t *testing.T) {
	s := startStack(t, patient(), NewPairing(rightCode, nil))
	l := listenTCP(t)
	served := make(chan error, 1)
	go func() { served <- s.ServePaired(t.Context(), l) }()
	dialTCP(t, l).lease()
	stranger := s.dial(t)
	stranger.greet()
	stranger.send(frames.LeaseGet{})
	stranger.refused("NOT PAIRED")
	l.Close()
	<-served
}
