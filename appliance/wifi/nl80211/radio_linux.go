package nl80211

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	mdlayher "github.com/mdlayher/wifi"
	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/wifi"
	"golang.org/x/sys/unix"
)

// Radio speaks nl80211.
type Radio struct {
	mu     sync.Mutex
	client *mdlayher.Client // nil: to be dialled
}

var _ wifi.Radio = (*Radio)(nil)

// New returns a Radio. It needs no driver yet.
func New() *Radio { return &Radio{} }

// Close ends the connection to the kernel. The next call makes a new one.
func (r *Radio) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.drop()
}

func (r *Radio) drop() error {
	if r.client == nil {
		return nil
	}
	err := r.client.Close()
	r.client = nil
	return err
}

// do calls the kernel with ctx's deadline. After an answer that did not come in
// time the connection is dropped: it would be taken for that of the next call.
func (r *Radio) do(ctx context.Context, what string, f func(c *mdlayher.Client) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.client == nil {
		c, err := mdlayher.New()
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		r.client = c
	}
	deadline, _ := ctx.Deadline() // the zero time is none
	if err := r.client.SetDeadline(deadline); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	err := f(r.client)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		_ = r.drop()
		return fmt.Errorf("%s: %w", what, unix.ETIMEDOUT)
	}
	return wrap(what, err)
}

// wrap says what failed, with this package's neighbours' word for a radio that is
// switched off.
func wrap(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.ERFKILL):
		return fmt.Errorf("%s: %w", what, wifi.ErrBlocked)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// Interfaces lists the stations. Without a driver there are none.
func (r *Radio) Interfaces(ctx context.Context) (out []wifi.Interface, err error) {
	err = r.do(ctx, "list interfaces", func(c *mdlayher.Client) error {
		all, err := c.Interfaces()
		for _, i := range all {
			if i.Name != "" && i.Type == mdlayher.InterfaceTypeStation {
				out = append(out, wifi.Interface{Index: i.Index, Name: i.Name})
			}
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) { // no nl80211 in this kernel
		return nil, nil
	}
	return out, err
}

func of(i wifi.Interface) *mdlayher.Interface {
	return &mdlayher.Interface{Index: i.Index, Name: i.Name}
}

// SetUp switches an interface.
func (r *Radio) SetUp(_ context.Context, i wifi.Interface, up bool) error {
	return wrap("switch "+i.Name, setFlags(i.Name, up))
}

// SetRegion sets the country. The database of the rules is read again, since the
// kernel may have started before its file was there.
func (r *Radio) SetRegion(ctx context.Context, region string) error {
	return r.do(ctx, "set region", func(c *mdlayher.Client) error {
		reload := c.ReloadRegulatoryDatabase()
		if err := c.SetRegulatoryRegion(region, mdlayher.RegulatoryHintUser); err != nil {
			return errors.Join(err, reload)
		}
		return nil
	})
}

// Scan looks for access points.
func (r *Radio) Scan(ctx context.Context, i wifi.Interface) error {
	c, err := mdlayher.New()
	if err != nil {
		return fmt.Errorf("scan: %w", err)
	}
	// mdlayher/wifi waits for the kernel until the deadline, whatever ctx says.
	done := make(chan error, 1)
	guarded.Go("Wi-Fi scan", func() {
		defer c.Close()
		done <- c.Scan(ctx, of(i))
	}, func(err error) { done <- err })
	select {
	case err = <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	switch {
	case errors.Is(err, mdlayher.ErrScanAborted):
		return fmt.Errorf("scan: %w", wifi.ErrScanAborted)
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("scan: %w", unix.ETIMEDOUT)
	}
	return wrap("scan", err)
}

// AccessPoints reads what scans found.
func (r *Radio) AccessPoints(ctx context.Context, i wifi.Interface) (out []wifi.AccessPoint, err error) {
	err = r.do(ctx, "list access points", func(c *mdlayher.Client) error {
		all, err := c.AccessPoints(of(i))
		for _, b := range all {
			if len(b.BSSID) > 0 {
				out = append(out, accessPoint(b))
			}
		}
		return err
	})
	return out, err
}

// Join begins to join a network.
func (r *Radio) Join(ctx context.Context, i wifi.Interface, ssid string, key config.Secret) error {
	psk := key.Reveal()
	if len(psk) == rawKeyDigits {
		return joinRaw(ctx, i, ssid, psk)
	}
	err := r.do(ctx, "join", func(c *mdlayher.Client) error {
		if psk == "" {
			return c.Connect(of(i), ssid)
		}
		return c.ConnectWPAPSK(of(i), ssid, psk)
	})
	if errors.Is(err, mdlayher.ErrNotSupported) {
		return wifi.ErrNotSupported
	}
	return err
}

// Leave ends an association or an attempt.
func (r *Radio) Leave(ctx context.Context, i wifi.Interface) error {
	return r.do(ctx, "leave", func(c *mdlayher.Client) error { return c.Disconnect(of(i)) })
}

// Link reads the association.
func (r *Radio) Link(ctx context.Context, i wifi.Interface) (link wifi.Link, err error) {
	err = r.do(ctx, "ask for the link", func(c *mdlayher.Client) error {
		stations, err := c.StationInfo(of(i))
		if err != nil {
			return err
		}
		if len(stations) == 0 {
			return wifi.ErrNoLink
		}
		s := stations[0]
		link = wifi.Link{
			BSSID: s.HardwareAddr.String(), SignalDBm: s.Signal,
			Connected: s.Connected.Truncate(time.Second),
		}
		// The name is in the scan's memory, from which it may have dropped out.
		if b, err := c.BSS(of(i)); err == nil {
			link.SSID, link.Frequency = b.SSID, b.Frequency
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTCONN) {
		err = wifi.ErrNoLink
	}
	return link, err
}
