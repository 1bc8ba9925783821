package ultimate

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/guarded"
)

// Finder looks for devices.
type Finder struct {
	Client *Client
	// Password gives the password to send to a device; nil: none is known. What
	// the device says of itself is not proven, so a password belongs to an address
	// that its owner confirmed.
	Password func(Identity) config.Secret
	// Port is that of the question by UDP; 0: 64.
	Port uint16
	// Wait is how long answers are waited for; 0: a second and a half.
	Wait time.Duration
}

// Find asks in each network for devices, and at the known addresses, and looks at
// each that answered. A known address is looked at also if it did not: the answer by
// UDP can be switched off.
func (f *Finder) Find(ctx context.Context, known ...netip.Addr) ([]Found, error) {
	list := f.Client.Networks
	if list == nil {
		list = Networks
	}
	networks, err := list()
	if err != nil {
		return nil, err
	}
	if len(networks) == 0 {
		return nil, errNoNetwork
	}
	devices := merge(f.search(ctx, networks, known))
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	for _, k := range known {
		if !slices.ContainsFunc(devices, func(d Found) bool { return d.Address == k || slices.Contains(d.Also, k) }) {
			devices = append(devices, Found{Identity: Identity{Address: k}})
		}
	}
	return devices, f.lookAll(ctx, devices)
}

// search asks by UDP.
func (f *Finder) search(ctx context.Context, networks []Network, known []netip.Addr) []sighting {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(f.Wait, identWait))
	defer cancel()
	s := newSearch(cmp.Or(f.Port, identPort))
	var all sync.WaitGroup
	for _, n := range networks {
		guarded.In(&all, "search for Ultimates", func() { s.in(ctx, n, known) }, nil)
	}
	all.Wait()
	return s.found
}

// merge makes one device of the addresses that one has: with cable and Wi-Fi it
// answers at both.
func merge(seen []sighting) []Found {
	slices.SortFunc(seen, func(a, b sighting) int { return a.Address.Compare(b.Address) })
	var devices []Found
	for _, s := range seen {
		same := slices.IndexFunc(devices, func(d Found) bool { return s.UniqueID != "" && d.UniqueID == s.UniqueID })
		if same >= 0 {
			devices[same].Also = append(devices[same].Also, s.Address)
			continue
		}
		devices = append(devices, Found{Identity: s.Identity, Own: s.own})
	}
	return devices
}

// lookAll looks at each device, a few side by side.
func (f *Finder) lookAll(ctx context.Context, devices []Found) error {
	var all sync.WaitGroup
	free := make(chan struct{}, lookers)
	for i := range devices {
		free <- struct{}{}
		guarded.In(&all, "look at an Ultimate", func() {
			defer func() { <-free }()
			f.lookAt(ctx, &devices[i])
		}, nil)
	}
	all.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

func (f *Finder) lookAt(ctx context.Context, d *Found) {
	device := Device{Address: d.Address}
	if f.Password != nil {
		device.Password = f.Password(d.Identity)
	}
	seen, err := f.Client.look(ctx, device, d.Identity)
	if err != nil {
		return // ctx ended: nobody reads this
	}
	seen.Also = d.Also
	if !seen.Own.IsValid() {
		seen.Own = d.Own
	}
	*d = seen
}
