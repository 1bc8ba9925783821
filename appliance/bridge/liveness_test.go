package bridge

import (
	"bytes"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prompt64/prompt64/frames"
)

// wire is a transport that knows what a test says.
type wire struct {
	acked atomic.Uint64
	dead  atomic.Bool
	moves bool // every look finds new bytes acknowledged
}

func (w *wire) line(net.Conn, time.Duration) (lineState, bool) {
	if w.moves {
		w.acked.Add(1)
	}
	return lineState{acked: w.acked.Load(), dead: w.dead.Load()}, true
}

func TestPeerThatLeavesEverythingUnansweredIsDetached(t *testing.T) {
	tune := patient()
	tune.watch = time.Millisecond
	w := &wire{}
	s := startStackOn(t, tune, open(), w.line)
	p := s.dial(t)
	token := p.lease()
	p.send(frames.Heartbeat{})
	p.expect(frames.HeartbeatAck{})
	w.dead.Store(true)
	p.gone()
	w.dead.Store(false)
	eventually(t, "the lease can be taken up again", func() bool { return s.State().Attached == 0 })
	again := s.dial(t)
	again.greet()
	again.send(frames.Reconnect{Token: token})
	again.expect(frames.ReconnectState{Token: token})
}

func TestC64ThatOnlyAcknowledgesKeepsItsLease(t *testing.T) {
	tune := patient()
	tune.stale = 50 * time.Millisecond
	s := startStackOn(t, tune, open(), (&wire{moves: true}).line)
	p := s.dial(t)
	token := p.lease()
	time.Sleep(2 * tune.stale) // no frame is recent enough
	thief := s.dial(t)
	thief.greet()
	thief.send(frames.Reconnect{Token: token})
	thief.refused("LEASE IN USE")
}

func TestSignsOfLifeAreFramesAndNewlyAcknowledgedBytes(t *testing.T) {
	var s signs
	at := func(seconds int) time.Time { return monday.Add(time.Duration(seconds) * time.Second) }
	quiet := func(now int, want time.Duration) {
		t.Helper()
		if got := s.quiet(at(now)); got != want {
			t.Errorf("after %d s: quiet for %v, want %v", now, got, want)
		}
	}
	s.seen(at(0))
	quiet(5, 5*time.Second)
	s.acknowledged(10, at(6))
	quiet(7, time.Second)
	s.acknowledged(10, at(12)) // probes are answered, but nothing new arrives
	quiet(12, 6*time.Second)
	s.seen(at(13))
	quiet(13, 0)
}

func TestNinthC64FromOneAddressFindsTheBridgeFull(t *testing.T) {
	s := startStack(t, patient(), open())
	var peers []*peer
	for range 8 {
		p := s.dial(t)
		p.lease()
		peers = append(peers, p)
	}
	ninth := s.dial(t)
	ninth.greet()
	ninth.send(frames.LeaseGet{})
	ninth.refused("BRIDGE FULL")
	for _, p := range peers {
		p.send(frames.Heartbeat{})
		p.expect(frames.HeartbeatAck{})
	}
}

func TestNinthC64ClosesTheOneThatHasBeenSilentLongest(t *testing.T) {
	tune := patient()
	tune.stale = 0
	s := startStack(t, tune, open())
	var peers []*peer
	for range 8 {
		p := s.dial(t)
		p.lease()
		peers = append(peers, p)
	}
	for _, i := range []int{0, 1, 2, 4, 5, 6, 7} {
		peers[i].send(frames.Heartbeat{})
		peers[i].expect(frames.HeartbeatAck{})
	}
	s.dial(t).lease()
	peers[3].gone()
	peers[0].send(frames.Heartbeat{})
	peers[0].expect(frames.HeartbeatAck{})
}

func TestC64ThatAsksAndDoesNotReadIsClosed(t *testing.T) {
	s := startStack(t, patient(), open())
	l := tightListener{listenTCP(t)}
	served := make(chan error, 1)
	go func() { served <- s.Serve(t.Context(), l) }()
	p := dialTCP(t, l)
	if err := p.Conn.(*net.TCPConn).SetReadBuffer(2048); err != nil {
		t.Fatal(err)
	}
	p.lease()
	many := bytes.Repeat(frames.SettingsGet{}.AppendTo(nil), 1000)
	for {
		if _, err := p.Write(many); err != nil {
			break
		}
	}
	p.gone()
	eventually(t, "the lease is detached", func() bool { return s.State().Attached == 0 })
	l.Close()
	<-served
}

func TestFloodDoesNotDisturbTheC64ThatIsAttached(t *testing.T) {
	s := startStack(t, patient(), open())
	p := s.dial(t)
	p.lease()
	for range 100 {
		flood := s.dial(t)
		_, _ = flood.Write([]byte("GET / HTTP/1.1\r\n\r\n")) // it may be closed already
		p.send(frames.Heartbeat{})
		p.expect(frames.HeartbeatAck{})
	}
}
