package wifi

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
)

// linkFaults is how many calls in a row may fail before an association is given
// up for a fault of the radio.
const linkFaults = 3

// settled is an association that works.
type settled struct {
	network config.Network
	since   time.Time // when it was joined by us
	faults  int
}

// settle stays in a network until it is lost. instead is why one that goes
// before it could not be joined.
func (k *keeper) settle(ctx context.Context, n config.Network, instead *Failure) *Failure {
	s := &settled{network: n, since: time.Now()}
	k.arrive(s, k.wish.succeeded(n), instead)
	defer k.leave()
	for step := time.Duration(0); ; step = watchStep {
		if w, _ := k.wait(ctx, step); w == ended || w == renewed {
			return nil
		}
		if f := k.check(ctx, s); f != nil {
			return f
		}
		if awaitedFor(s.since, stableTime) {
			k.trust()
		}
	}
}

// arrive says that a network is in use, and instead of which, if one that goes
// before it could not be joined.
func (k *keeper) arrive(s *settled, fallback bool, instead *Failure) {
	address := k.cfg.Host.Address(k.iface.Name)
	k.set(func(st *Status) {
		st.State, st.Since, st.Fallback, st.Address = Online, s.since, fallback, address
		st.LastFailure, st.Cause = "", NoCause
		if instead == nil || !fallback && instead.Cause == NoSuchNetwork {
			return // that another network is out of reach is what the list is for
		}
		st.LastFailure, st.Cause = instead.Error(), instead.Cause
		if fallback {
			st.LastFailure += fmt.Sprintf("; meanwhile the device is in %q, as before the change", s.network.SSID)
		}
	})
}

// check looks whether all is well.
func (k *keeper) check(ctx context.Context, s *settled) *Failure {
	link, err := k.link(ctx)
	switch {
	case errors.Is(err, ErrNoLink):
		return k.dropped(ctx, s.network, time.Since(s.since))
	case err != nil && gone(err):
		return radioFailure(s.network.SSID, "ask for the link", err)
	case err != nil:
		if s.faults++; s.faults >= linkFaults {
			return radioFailure(s.network.SSID, "ask for the link", err)
		}
		return nil
	}
	s.faults = 0
	if f := k.follow(s.network, link); f != nil {
		return f
	}
	return k.watchAddress(s, link)
}

// watchAddress keeps the status up to date.
func (k *keeper) watchAddress(s *settled, link Link) *Failure {
	address := k.cfg.Host.Address(k.iface.Name)
	if address.IsValid() {
		k.lease.since = time.Now()
	} else if awaitedFor(k.lease.since, addressTime) {
		return fail(NoAddress, s.network.SSID, k.lease.err)
	}
	k.set(func(st *Status) {
		st.State = Online
		if !address.IsValid() {
			st.State = Addressing
		}
		st.SSID, st.BSSID = s.network.SSID, link.BSSID
		st.SignalDBm, st.Frequency, st.Address = link.SignalDBm, link.Frequency, address
	})
	return nil
}
