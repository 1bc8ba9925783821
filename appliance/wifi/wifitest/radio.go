package wifitest

import (
	"context"
	"fmt"
	"net/netip"
	"syscall"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/wifi"
)

var _ wifi.Radio = (*World)(nil)

// Interfaces lists the one that there is.
func (w *World) Interfaces(context.Context) ([]wifi.Interface, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.loaded || w.iface.Index == 0 {
		return nil, nil
	}
	return []wifi.Interface{w.iface}, nil
}

// use checks that a call is about an interface that can do it. The mutex is held.
func (w *World) use(i wifi.Interface) error {
	switch {
	case w.iface.Index == 0 || i.Index != w.iface.Index:
		return syscall.ENODEV
	case w.blocked:
		return wifi.ErrBlocked
	case !w.up:
		return syscall.ENETDOWN
	}
	return nil
}

// SetUp switches the interface.
func (w *World) SetUp(_ context.Context, i wifi.Interface, up bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.up = w.up || up
	if err := w.use(i); err != nil {
		return err
	}
	if !up {
		w.note("down")
		w.up, w.link = false, nil
		w.joining++
		if w.sick == dizzy {
			w.sick = well
		}
	}
	return nil
}

// SetRegion keeps the country.
func (w *World) SetRegion(_ context.Context, region string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note("region %s", region)
	w.region = region
	return nil
}

// Scan takes its time.
func (w *World) Scan(ctx context.Context, i wifi.Interface) error {
	err := w.beginScan(i)
	if err == syscall.EBUSY { // said at once
		return err
	}
	if w.isSick() { // nobody answers
		<-ctx.Done()
		return fmt.Errorf("scan: %w", syscall.ETIMEDOUT)
	}
	select {
	case <-time.After(ScanTime / w.pace):
	case <-ctx.Done():
		return ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scanned = w.scanned || err == nil
	return err
}

func (w *World) beginScan(i wifi.Interface) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.use(i); err != nil {
		return err
	}
	w.note("scan")
	if len(w.scanFaults) == 0 {
		return nil
	}
	err := w.scanFaults[0]
	w.scanFaults = w.scanFaults[1:]
	return err
}

func (w *World) isSick() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sick != well
}

// AccessPoints tells what is in reach, once a scan succeeded.
func (w *World) AccessPoints(_ context.Context, i wifi.Interface) ([]wifi.AccessPoint, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.use(i); err != nil {
		return nil, err
	}
	if !w.scanned || w.sick != well {
		return nil, nil
	}
	var out []wifi.AccessPoint
	for _, a := range w.aps {
		p := wifi.AccessPoint{SSID: a.SSID, BSSID: a.BSSID, SignalDBm: a.SignalDBm, Frequency: 2437, Security: a.Security}
		if a.Hidden {
			p.SSID = ""
		}
		out = append(out, p)
	}
	return out, nil
}

// Join begins to join the strongest access point of a network.
func (w *World) Join(_ context.Context, i wifi.Interface, ssid string, key config.Secret) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.use(i); err != nil {
		return err
	}
	w.note("join %s", ssid)
	if len(w.joinFaults) > 0 {
		err := w.joinFaults[0]
		w.joinFaults = w.joinFaults[1:]
		return err
	}
	if w.link != nil {
		return syscall.EALREADY
	}
	w.joining++
	id := w.joining
	time.AfterFunc(JoinTime/w.pace, func() { w.arrive(id, ssid, key.Reveal()) })
	return nil
}

// arrive ends an attempt to join.
func (w *World) arrive(id int, ssid, key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if id != w.joining || w.sick != well {
		return
	}
	best := -1
	for i, a := range w.aps {
		if a.SSID == ssid && (best < 0 || a.SignalDBm > w.aps[best].SignalDBm) {
			best = i
		}
	}
	refuse := func(code uint16) {
		w.tell(wifi.Event{Kind: wifi.Refused, Interface: w.iface.Index, Code: code})
	}
	if best < 0 {
		refuse(16)
		return
	}
	switch a := w.aps[best]; {
	case a.Mute:
	case a.Refuses != 0:
		refuse(a.Refuses)
	case a.Key != key:
		refuse(16) // as brcmfmac does
	default:
		w.link = &link{ap: a, id: id, began: time.Now()}
		w.tell(wifi.Event{Kind: wifi.Joined, Interface: w.iface.Index})
	}
}

// Leave ends an association or an attempt.
func (w *World) Leave(_ context.Context, i wifi.Interface) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.use(i); err != nil {
		return err
	}
	w.note("leave")
	w.link = nil
	w.joining++
	return nil
}

// Link tells of the association.
func (w *World) Link(_ context.Context, i wifi.Interface) (wifi.Link, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.use(i); err != nil {
		return wifi.Link{}, err
	}
	if w.link == nil {
		return wifi.Link{}, wifi.ErrNoLink
	}
	return wifi.Link{
		SSID: w.link.ap.SSID, BSSID: w.link.ap.BSSID, SignalDBm: w.link.ap.SignalDBm, Frequency: 2437,
		Connected: time.Since(w.link.began).Truncate(time.Second),
	}, nil
}

// Events tells what happens.
func (w *World) Events(ctx context.Context) (<-chan wifi.Event, error) {
	ch := make(chan wifi.Event, 16)
	w.mu.Lock()
	w.events[ch] = true
	w.mu.Unlock()
	context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.events, ch)
		close(ch)
	})
	return ch, nil
}

// Address tells the interface's address.
func (w *World) Address(ifname string) netip.Prefix {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ifname != w.iface.Name {
		return netip.Prefix{}
	}
	return w.address
}
