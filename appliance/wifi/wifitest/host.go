package wifitest

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/wifi"
)

var _ wifi.Host = (*World)(nil)

// LoadDriver brings the interface after a moment, if all that it needs is there.
func (w *World) LoadDriver(context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.missing == wifi.MissingDriver {
		return errors.New("load brcmfmac: no such module")
	}
	if w.loaded {
		return nil
	}
	w.note("load")
	w.loaded = true
	if w.missing == wifi.MissingUnknown {
		time.AfterFunc(LoadTime/w.pace, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.loaded && w.iface.Index == 0 {
				w.appear()
				w.tell(wifi.Event{Kind: wifi.Changed})
			}
		})
	}
	return nil
}

// UnloadDriver takes the interface away.
func (w *World) UnloadDriver(context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.note("unload")
	w.vanish()
	w.loaded, w.sick = false, well
	return nil
}

// Missing tells what is missing.
func (w *World) Missing() wifi.Missing {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.missing
}

// Blocked tells whether the radio is switched off.
func (w *World) Blocked() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.blocked
}

// ClearAddresses removes the address.
func (w *World) ClearAddresses(ifname string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ifname == w.iface.Name {
		w.address = netip.Prefix{}
	}
	return nil
}

// StartDHCP starts a client that behaves like gokrazy's.
func (w *World) StartDHCP(ifname string) (wifi.DHCP, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.link == nil || ifname != w.iface.Name {
		return nil, errors.New("start the DHCP client: no link")
	}
	w.note("dhcp %s", w.link.ap.BSSID)
	c := &client{world: w, done: make(chan struct{})}
	w.clients[c] = true
	id, ap := w.link.id, w.link.ap
	wait := LeaseTime
	if ap.NoDHCP {
		wait = RefuseTime
	}
	c.timer = time.AfterFunc(wait/w.pace, func() { w.lease(c, id, ap) })
	return c, nil
}

// lease gives an address, or ends a client that no server answers.
func (w *World) lease(c *client, id int, ap AP) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !w.clients[c] || w.link == nil || w.link.id != id:
	case ap.NoDHCP:
		c.finish()
	default:
		w.hosts++
		w.address = netip.MustParsePrefix(fmt.Sprintf("%s.%d/24", ap.Subnet, 2+w.hosts%250))
		w.leased = id
	}
}

// client is a DHCP client.
type client struct {
	world *World
	timer *time.Timer
	once  sync.Once
	done  chan struct{}
}

// finish ends the client. The world's mutex is held.
func (c *client) finish() {
	c.once.Do(func() {
		c.timer.Stop()
		delete(c.world.clients, c)
		close(c.done)
	})
}

// Done is closed when the client has ended.
func (c *client) Done() <-chan struct{} { return c.done }

// Stop ends the client.
func (c *client) Stop() {
	c.world.mu.Lock()
	defer c.world.mu.Unlock()
	c.finish()
}
