package bridge

import (
	"strings"
	"testing"

	"github.com/prompt64/prompt64/frames"
)

func pairWith(code string) frames.Pair {
	var p frames.Pair
	copy(p.Code[:], code)
	return p
}

func TestWithoutACodeNobodyGetsALease(t *testing.T) {
	h := start(t, patient(), NewPairing(rightCode, nil), nil)
	for _, m := range []frames.Message{frames.LeaseGet{}, frames.Reconnect{}} {
		p := h.dial(t)
		p.greet()
		p.send(m)
		p.refused("NOT PAIRED")
	}
}

func TestMissingCodesDoNotCountTowardsTheLockOut(t *testing.T) {
	h := start(t, patient(), NewPairing(rightCode, nil), nil)
	for range 2 * maxWrongCodes {
		p := h.dial(t)
		p.greet()
		p.send(frames.LeaseGet{})
		p.refused("NOT PAIRED")
	}
	p := h.dial(t)
	p.greet()
	p.send(pairWith(rightCode))
	p.expect(frames.PairState{})
}

func TestFiveWrongCodesLockOutAlsoTheRightOne(t *testing.T) {
	h := start(t, patient(), NewPairing(rightCode, nil), nil)
	for range maxWrongCodes {
		p := h.dial(t)
		p.greet()
		p.send(pairWith("WRONG222"))
		p.refused("NOT PAIRED")
	}
	for _, m := range []frames.Message{pairWith(rightCode), frames.LeaseGet{}, frames.Reconnect{}} {
		p := h.dial(t)
		p.greet()
		p.send(m)
		p.refused("TRY LATER")
	}
}

func TestAllowedAddressPassesWhateverCodeItSends(t *testing.T) {
	h := start(t, patient(), NewPairing(rightCode, Loopback()), nil)
	p := h.dial(t)
	p.greet()
	for range 2 * maxWrongCodes {
		p.send(pairWith("WRONG222"))
		p.expect(frames.PairState{})
	}
}

func TestLogNamesPeersButNeverCodes(t *testing.T) {
	h := start(t, patient(), NewPairing(rightCode, nil), nil)
	for _, code := range []string{rightCode, "WRONG222", "WRONG222", "WRONG222", "WRONG222", "WRONG222", "WRONG222"} {
		p := h.dial(t)
		p.greet()
		p.send(pairWith(code))
		if _, err := p.frames.Next(); err != nil {
			t.Fatal(err)
		}
	}
	log := h.log.String()
	if !strings.Contains(log, "peer=127.0.0.1") {
		t.Errorf("the log does not name the peer:\n%s", log)
	}
	for _, secret := range []string{rightCode, "WRONG222"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds the code %s", secret)
		}
	}
}
