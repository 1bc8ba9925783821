package wifi

import (
	"context"
	"errors"
	"slices"
	"syscall"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
)

// weakDBm is the signal below which a network answers only by luck.
const weakDBm = -82

// joinTries is how often a join is begun that the driver is too busy for.
const joinTries = 4

// attempt joins a network and gets an address there.
func (k *keeper) attempt(ctx context.Context, n config.Network, aps []AccessPoint) *Failure {
	if f := unsuitable(n, aps); f != nil {
		return f
	}
	k.set(func(s *Status) { s.offline(Joining); s.SSID = n.SSID })
	k.setRegion(ctx, n.Region)
	if f := k.begin(ctx, n); f != nil {
		return f
	}
	if f := k.associate(ctx, n, aps); f != nil {
		return f
	}
	k.set(func(s *Status) { s.State = Addressing })
	return k.address(ctx, n)
}

// unsuitable says why a network that was seen cannot be joined. One that seems to
// be open may have an element that was not understood, and is tried with a key.
func unsuitable(n config.Network, aps []AccessPoint) *Failure {
	var cause Cause
	for _, a := range aps {
		if a.SSID != n.SSID {
			continue
		}
		switch {
		case a.Security == Open, a.Security == WPA2 && !n.PSK.Empty():
			return nil // one access point is enough
		case a.Security == WPA3:
			cause = WPA3Only
		case a.Security == Enterprise:
			cause = EnterpriseOnly
		default:
			cause = KeyNeeded
		}
	}
	if cause == NoCause {
		return nil
	}
	return fail(cause, n.SSID, nil)
}

// begin starts to join.
func (k *keeper) begin(ctx context.Context, n config.Network) *Failure {
	pause := scanPause
	var err error
	for range joinTries {
		k.drain()
		k.lost, k.tie = Event{}, tie{}
		err = order(ctx, func(ctx context.Context) error { return k.cfg.Radio.Join(ctx, k.iface, n.SSID, n.PSK) })
		if !errors.Is(err, syscall.EBUSY) && !errors.Is(err, syscall.EALREADY) && !errors.Is(err, syscall.EINPROGRESS) {
			break
		}
		_ = order(ctx, func(ctx context.Context) error { return k.cfg.Radio.Leave(ctx, k.iface) })
		if w, _ := k.wait(ctx, k.jitter(pause)); w == ended || w == renewed {
			break
		}
		pause *= 2
	}
	if err != nil {
		return radioFailure(n.SSID, "join", err)
	}
	return nil
}

// associate waits for the association.
func (k *keeper) associate(ctx context.Context, n config.Network, aps []AccessPoint) *Failure {
	signal, seen := strongest(aps, n.SSID)
	start := time.Now()
	why := func(e Event) *Failure {
		if f := refused(n, e, signal, seen); n.PSK.Empty() || !looksOpen(aps, n.SSID) {
			return f
		}
		return fail(KeyNotUsed, n.SSID, nil)
	}
	for !awaitedFor(start, joinTime) {
		w, e := k.wait(ctx, pollStep)
		switch {
		case w == ended || w == renewed:
			return fail(NoAnswer, n.SSID, ctx.Err())
		case w == woken && (e.Kind == Refused || e.Kind == Lost):
			return why(e)
		}
		link, err := k.link(ctx)
		if err == nil && (link.SSID == n.SSID || link.SSID == "") {
			return nil
		}
		if err != nil && !errors.Is(err, ErrNoLink) {
			return radioFailure(n.SSID, "join", err)
		}
	}
	return why(Event{TimedOut: true})
}

func looksOpen(aps []AccessPoint, ssid string) bool {
	return slices.ContainsFunc(aps, func(a AccessPoint) bool { return a.SSID == ssid && a.Security == Open })
}

// refused tells from what the driver said why a network was not joined.
func refused(n config.Network, e Event, signal int, seen bool) *Failure {
	f := &Failure{Cause: RefusedJoin, SSID: n.SSID, Code: e.Code}
	switch {
	case !seen:
		f.Cause = NoSuchNetwork // it was a try for a hidden one
	case signal < weakDBm:
		f.Cause = WeakSignal
	case !n.PSK.Empty() && e.Kind == Lost && aboutKey(e.Code):
		f.Cause = WrongPassword
	case !n.PSK.Empty() && e.Kind == Refused && e.Code == statusAuthTimeout:
		// What brcmfmac makes of a handshake that failed, in its connect.
		f.Cause = WrongPassword
	case e.TimedOut:
		f.Cause = NoAnswer
	}
	return f
}

// address waits for an address.
func (k *keeper) address(ctx context.Context, n config.Network) *Failure {
	start := time.Now()
	for !awaitedFor(start, addressTime) {
		if w, _ := k.wait(ctx, pollStep); w == ended || w == renewed {
			return fail(NoAddress, n.SSID, ctx.Err())
		}
		link, err := k.link(ctx)
		switch {
		case errors.Is(err, ErrNoLink):
			return k.dropped(ctx, n, time.Since(start))
		case err != nil:
			return radioFailure(n.SSID, "join", err)
		}
		if f := k.follow(n, link); f != nil {
			return f
		}
		if k.cfg.Host.Address(k.iface.Name).IsValid() {
			return nil
		}
	}
	return fail(NoAddress, n.SSID, k.lease.err)
}

// dropped tells why an association ended. One that hardly began was an attempt.
func (k *keeper) dropped(ctx context.Context, n config.Network, held time.Duration) *Failure {
	if k.lost.Kind == 0 { // asking was faster than being told
		k.wait(ctx, lookupPause)
	}
	f := &Failure{Cause: LostLink, SSID: n.SSID, Code: k.lost.Code}
	if held < settleTime && !n.PSK.Empty() && aboutKey(k.lost.Code) {
		f.Cause = WrongPassword
	}
	return f
}

func (k *keeper) link(ctx context.Context) (Link, error) {
	return call(ctx, func(ctx context.Context) (Link, error) { return k.cfg.Radio.Link(ctx, k.iface) })
}
