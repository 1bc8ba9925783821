package nl80211

import (
	"context"
	"fmt"
	"time"

	"github.com/mdlayher/genetlink"
	"github.com/mdlayher/netlink"
	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/wifi"
	"golang.org/x/sys/unix"
)

// eventBuffer is how many events wait for a slow reader.
const eventBuffer = 32

// Events returns what the kernel tells, until ctx is done.
func (r *Radio) Events(ctx context.Context) (<-chan wifi.Event, error) {
	c, family, err := dial(context.WithoutCancel(ctx))
	if err != nil {
		return nil, fmt.Errorf("listen to the kernel: %w", err)
	}
	for _, g := range family.Groups {
		if g.Name != unix.NL80211_MULTICAST_GROUP_MLME && g.Name != unix.NL80211_MULTICAST_GROUP_CONFIG {
			continue
		}
		if err := c.JoinGroup(g.ID); err != nil {
			_ = c.Close()
			return nil, fmt.Errorf("listen to the kernel's %s: %w", g.Name, err)
		}
	}
	events := make(chan wifi.Event, eventBuffer)
	// A deadline in the past ends a read that waits; to close alone does not on
	// every kernel.
	stop := guarded.AfterDone(ctx, "end of Wi-Fi events", func() { _ = c.SetReadDeadline(time.Unix(1, 0)) }, nil)
	guarded.Go("Wi-Fi events", func() {
		defer close(events) // then they are asked for anew
		defer c.Close()
		defer stop()
		listen(ctx, c, events)
	}, nil)
	return events, nil
}

// listen forwards events. A buffer that ran over in the kernel is no reason to
// end: what is true is asked for anyway.
func listen(ctx context.Context, c *genetlink.Conn, events chan<- wifi.Event) {
	for {
		messages, _, err := c.Receive()
		if ctx.Err() != nil {
			return
		}
		if err != nil && !isOverrun(err) {
			return
		}
		for _, m := range messages {
			e, ok := event(m)
			if !ok {
				continue
			}
			select {
			case events <- e:
			default:
			}
		}
	}
}

// event reads one message of the kernel.
func event(m genetlink.Message) (wifi.Event, bool) {
	var e wifi.Event
	status, timedOut := uint16(0), false
	d, err := netlink.NewAttributeDecoder(m.Data)
	if err != nil {
		return e, false
	}
	for d.Next() {
		switch d.Type() {
		case unix.NL80211_ATTR_IFINDEX:
			e.Interface = int(d.Uint32())
		case unix.NL80211_ATTR_STATUS_CODE:
			status = d.Uint16()
		case unix.NL80211_ATTR_REASON_CODE:
			e.Code = d.Uint16()
		case unix.NL80211_ATTR_TIMED_OUT:
			timedOut = true
		case unix.NL80211_ATTR_DISCONNECTED_BY_AP:
			e.ByAP = true
		}
	}
	if d.Err() != nil {
		return e, false
	}
	switch m.Header.Command {
	case unix.NL80211_CMD_CONNECT:
		e.Kind, e.Code = wifi.Joined, 0
		if status != 0 || timedOut {
			e.Kind, e.Code, e.TimedOut = wifi.Refused, status, timedOut
		}
	case unix.NL80211_CMD_DISCONNECT:
		e.Kind = wifi.Lost
	case unix.NL80211_CMD_ROAM:
		e.Kind = wifi.Roamed
	case unix.NL80211_CMD_NEW_INTERFACE, unix.NL80211_CMD_DEL_INTERFACE:
		e = wifi.Event{Kind: wifi.Changed, Interface: e.Interface}
	default:
		return e, false
	}
	return e, true
}
