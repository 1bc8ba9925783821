package wifi

import (
	"time"

	"github.com/prompt64/prompt64/appliance/config"
)

// reassociated is by how much the beginning of an association may seem to move:
// the kernel tells its age in seconds.
const reassociated = 3 * time.Second

// tie is one association with one access point.
type tie struct {
	bssid string
	began time.Time
}

// holds reports whether link is still the same association. What the DHCP client
// of another one holds may be worth nothing, even where the access point is the
// same: nothing says that it serves the same network as before.
func (t tie) holds(link Link) bool {
	return t.bssid == link.BSSID && time.Now().Add(-link.Connected).Sub(t.began) <= reassociated
}

// follow keeps a DHCP client at work for the association as it is now.
func (k *keeper) follow(n config.Network, link Link) *Failure {
	if k.tie.holds(link) {
		k.lease.tend()
		return nil
	}
	k.tie = tie{link.BSSID, time.Now().Add(-link.Connected)}
	if err := k.lease.begin(k.cfg.Host, k.iface.Name); err != nil {
		return radioFailure(n.SSID, "clear addresses", err)
	}
	return nil
}
