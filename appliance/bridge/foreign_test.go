package bridge

import (
	"net"
	"testing"

	"github.com/prompt64/prompt64/frames"
)

// An agent on the same machine may dial the bridge. The allow list is not for it:
// without the code it gets no lease, neither a fresh one nor its C64's.
func TestForeignConnectionNeedsTheCodeWhateverItsAddress(t *testing.T) {
	s := startStack(t, patient(), open())
	token := s.dial(t).lease()
	guarded := newServer(Config{
		Leases: s.leases, Pairing: NewPairing(rightCode, Loopback()), Foreign: func(net.Conn) bool { return true },
	}, patient())
	l := listenTCP(t)
	serveOn(t, guarded, l)
	for name, ask := range map[string]frames.Message{"fresh": frames.LeaseGet{}, "the C64's": frames.Reconnect{Token: token}} {
		t.Run(name, func(t *testing.T) {
			p := dialTCP(t, l)
			p.greet()
			p.send(ask)
			p.refused("NOT PAIRED")
		})
	}
	p := dialTCP(t, l)
	p.greet()
	p.send(pairWith("WRONG222"))
	p.refused("NOT PAIRED")
	p = dialTCP(t, l)
	p.greet()
	p.send(pairWith(rightCode))
	p.expect(frames.PairState{})
	p.send(frames.LeaseGet{})
	if f, err := p.frames.Next(); err != nil || f.Type != frames.TypeLeaseState {
		t.Errorf("with the code it gets %v, %v", f.Type, err)
	}
}
