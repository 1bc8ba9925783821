package wifi

import (
	"context"
	"slices"
	"time"
)

// appearTime is how long a driver may take to show its interface: it loads the
// radio's program first.
const appearTime = 10 * time.Second

// ready finds the interface, loads the driver if there is none, and switches the
// interface on.
func (k *keeper) ready(ctx context.Context) *Failure {
	k.drain()
	if k.cfg.Host.Blocked() {
		return fail(RadioBlocked, "", nil)
	}
	i, f := k.find(ctx)
	if f != nil {
		k.use(Interface{})
		return f
	}
	k.listen(ctx)
	k.use(i)
	if err := order(ctx, func(ctx context.Context) error { return k.cfg.Radio.SetUp(ctx, i, true) }); err != nil {
		return radioFailure("", "switch on", err)
	}
	for _, n := range k.wish.list {
		if n.Region != "" {
			k.setRegion(ctx, n.Region)
			break
		}
	}
	return nil
}

// use takes an interface into use. One that is new knows nothing yet.
func (k *keeper) use(i Interface) {
	if k.iface != i {
		k.iface, k.region = i, ""
	}
	k.set(func(s *Status) { s.Interface = i.Name })
}

// find lists the interfaces, with the driver's help.
func (k *keeper) find(ctx context.Context) (Interface, *Failure) {
	if i, ok := k.list(ctx); ok {
		return i, nil
	}
	if err := k.cfg.Host.LoadDriver(ctx); err != nil {
		return Interface{}, k.missing(err)
	}
	for end := time.Now().Add(appearTime); ; {
		if i, ok := k.list(ctx); ok {
			return i, nil
		}
		// Without hardware there is nothing to wait for.
		if k.cfg.Host.Missing() == MissingRadio || time.Now().After(end) {
			return Interface{}, k.missing(nil)
		}
		if w, _ := k.wait(ctx, pollStep); w == ended {
			return Interface{}, k.missing(ctx.Err())
		}
	}
}

// list returns the interface in use, if it is still there, or else the first.
func (k *keeper) list(ctx context.Context) (Interface, bool) {
	all, err := call(ctx, k.cfg.Radio.Interfaces)
	if err != nil || len(all) == 0 {
		return Interface{}, false
	}
	if slices.Contains(all, k.iface) {
		return k.iface, true
	}
	return all[0], true
}

// missing says why there is no interface.
func (k *keeper) missing(err error) *Failure {
	switch k.cfg.Host.Missing() {
	case MissingRadio:
		return fail(RadioMissing, "", err)
	case MissingDriver:
		return fail(DriverMissing, "", err)
	case MissingFirmware:
		return fail(FirmwareMissing, "", err)
	}
	return fail(RadioSilent, "", err)
}

// listen subscribes to events, unless that holds.
func (k *keeper) listen(ctx context.Context) {
	if k.events != nil {
		return
	}
	if k.quiet != nil {
		k.quiet()
	}
	ctx, k.quiet = context.WithCancel(ctx)
	events, err := k.cfg.Radio.Events(ctx)
	if err != nil {
		k.cfg.Log.Warn("wifi: what the kernel tells cannot be heard; all is polled", "error", err)
		return
	}
	k.events = events
}

// setRegion is a wish: a network may be joined all the same.
func (k *keeper) setRegion(ctx context.Context, region string) {
	if region == "" || region == k.region {
		return
	}
	if err := order(ctx, func(ctx context.Context) error { return k.cfg.Radio.SetRegion(ctx, region) }); err != nil {
		k.cfg.Log.Warn("wifi: the country could not be set", "country", region, "error", err)
		return
	}
	k.region = region
}
