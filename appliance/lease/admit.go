package lease

import "time"

// admit makes room for one more attachment from link's address, or refuses it.
// Where a limit is reached, the stale attachment from the same address that has
// been silent longest, and has no active turn, is closed. The caller holds mu.
func (t *Table) admit(link Link) error {
	all, same := 0, 0
	var victim *lease
	var quiet time.Duration
	for _, l := range t.leases {
		if l.att == nil {
			continue
		}
		all++
		if l.att.link.Addr() != link.Addr() {
			continue
		}
		same++
		if !l.active.Load() && l.att.link.Stale() {
			if q := l.att.link.Quiet(); victim == nil || q > quiet {
				victim, quiet = l, q
			}
		}
	}
	if all < maxAttachments && same < maxFromOneAddress {
		return nil
	}
	if victim == nil {
		return ErrFull
	}
	victim.att.dead.Store(true)
	victim.att.link.Kill()
	t.leave(victim)
	return nil
}
