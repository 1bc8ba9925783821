package wifi

import (
	"context"
	"slices"
	"strings"
	"time"
)

// look scans and returns what is in reach. Scans fail in passing: another one
// runs (EBUSY), or the firmware breaks one off (ETIMEDOUT, aborted).
func (k *keeper) look(ctx context.Context) ([]AccessPoint, *Failure) {
	var err error
	pause := scanPause
	for try := range scanTries {
		if try > 0 {
			if w, _ := k.wait(ctx, k.jitter(pause)); w == ended {
				return nil, radioFailure("", "scan", ctx.Err())
			}
			pause *= 2
		}
		if err = k.scanOnce(ctx); err == nil || gone(err) {
			break
		}
	}
	if err != nil && gone(err) {
		return nil, radioFailure("", "scan", err)
	}
	aps, listErr := k.heard(ctx)
	switch {
	case err != nil && len(aps) == 0:
		f := radioFailure("", "scan", err)
		if f.Cause == RadioFault {
			f.Cause = ScanFault
		}
		return nil, f
	case listErr != nil:
		return nil, radioFailure("", "list access points", listErr)
	}
	return aps, nil
}

func (k *keeper) scanOnce(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, scanTime)
	defer cancel()
	return k.cfg.Radio.Scan(ctx, k.iface)
}

// heard reads what scans found. After the first one that may be nothing yet.
func (k *keeper) heard(ctx context.Context) (aps []AccessPoint, err error) {
	for try := range scanLookups {
		if try > 0 {
			if w, _ := k.wait(ctx, lookupPause); w == ended {
				return nil, ctx.Err()
			}
		}
		aps, err = call(ctx, func(ctx context.Context) ([]AccessPoint, error) {
			return k.cfg.Radio.AccessPoints(ctx, k.iface)
		})
		aps = slices.DeleteFunc(aps, func(a AccessPoint) bool { return a.Seen > pickTime })
		if err == nil && len(aps) > 0 {
			break
		}
	}
	return aps, err
}

// Found is a network that a scan found, with all its access points.
type Found struct {
	SSID      string
	SignalDBm int // of the strongest access point
	Security  Security
	// Trouble says why it cannot be joined; empty: it can.
	Trouble string
}

// scanFor scans for the pages.
func (k *keeper) scanFor(ctx context.Context) ([]Found, error) {
	if k.iface.Index == 0 {
		if f := k.ready(ctx); f != nil {
			k.note(f)
			return nil, f
		}
	}
	var aps []AccessPoint
	f := k.undisturbed(func() (f *Failure) {
		aps, f = k.look(ctx)
		return f
	})
	if f != nil {
		if gone(f) {
			k.use(Interface{})
		}
		return nil, f
	}
	return group(aps), nil
}

// group makes networks of access points, the strongest first.
func group(aps []AccessPoint) []Found {
	byName := map[string]*Found{}
	var out []*Found
	for _, a := range aps {
		if a.SSID == "" {
			continue
		}
		f, there := byName[a.SSID]
		if !there {
			f = &Found{SSID: a.SSID, SignalDBm: a.SignalDBm, Security: a.Security}
			byName[a.SSID] = f
			out = append(out, f)
		}
		f.SignalDBm = max(f.SignalDBm, a.SignalDBm)
		if a.Security == WPA2 { // one that can be joined is enough
			f.Security = WPA2
		}
	}
	slices.SortFunc(out, func(a, b *Found) int {
		if a.SignalDBm != b.SignalDBm {
			return b.SignalDBm - a.SignalDBm
		}
		return strings.Compare(a.SSID, b.SSID)
	})
	list := make([]Found, len(out))
	for i, f := range out {
		switch f.Security {
		case WPA3:
			f.Trouble = fail(WPA3Only, f.SSID, nil).refusal()
		case Enterprise:
			f.Trouble = fail(EnterpriseOnly, f.SSID, nil).refusal()
		}
		list[i] = *f
	}
	return list
}

// strongest returns the best signal that a network has.
func strongest(aps []AccessPoint, ssid string) (best int, there bool) {
	for _, a := range aps {
		if a.SSID == ssid && (!there || a.SignalDBm > best) {
			best, there = a.SignalDBm, true
		}
	}
	return best, there
}

// awaitedFor reports whether so much time has gone since a moment.
func awaitedFor(since time.Time, d time.Duration) bool { return time.Since(since) >= d }
