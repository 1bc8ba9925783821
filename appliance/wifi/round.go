package wifi

import (
	"context"
	"slices"

	"github.com/prompt64/prompt64/appliance/config"
)

// round looks for networks, tries those that are wanted, and stays with the
// first that works until it is lost. It returns why there is none, or nil where
// the settings changed or ctx is done.
func (k *keeper) round(ctx context.Context) *Failure {
	k.set(func(s *Status) { s.offline(Searching) })
	aps, f := k.look(ctx)
	if f != nil {
		return f
	}
	if k.wish.fresh {
		return nil
	}
	try, skip := k.choose(aps)
	var failures []*Failure
	for _, n := range skip {
		failures = append(failures, k.absent(n, aps))
	}
	for _, n := range try {
		f := k.undisturbed(func() *Failure { return k.attempt(ctx, n, aps) })
		switch {
		case ctx.Err() != nil || k.wish.fresh:
			k.leave()
			return nil
		case f == nil:
			return k.settle(ctx, n, worth(failures, k.wish.list))
		}
		k.leave()
		failures = append(failures, f)
		if gone(f) {
			return f
		}
		k.note(f)
	}
	k.wish.failed()
	return worth(failures, k.wish.list)
}

// choose sorts the wanted networks into those to try, the visible ones first,
// and those that need no try. One that is hidden shows itself to no scan: where
// there are hidden ones, all are tried.
func (k *keeper) choose(aps []AccessPoint) (try, skip []config.Network) {
	hidden := slices.ContainsFunc(aps, func(a AccessPoint) bool { return a.SSID == "" })
	var unseen []config.Network
	for _, n := range k.wish.candidates() {
		switch _, there := strongest(aps, n.SSID); {
		case there:
			try = append(try, n)
		case hidden:
			unseen = append(unseen, n)
		default:
			skip = append(skip, n)
		}
	}
	return append(try, unseen...), skip
}

func (k *keeper) absent(n config.Network, aps []AccessPoint) *Failure {
	if len(aps) == 0 {
		return fail(NothingSeen, "", nil)
	}
	return fail(NoSuchNetwork, n.SSID, nil)
}

// worth picks the failure that an owner should hear of: in the order of the
// settings, and one that was tried rather than one that is not there.
func worth(failures []*Failure, list []config.Network) *Failure {
	var best *Failure
	for _, n := range list {
		for _, f := range failures {
			if f.SSID != n.SSID {
				continue
			}
			if best == nil || best.Cause == NoSuchNetwork && f.Cause != NoSuchNetwork {
				best = f
			}
		}
	}
	if best == nil && len(failures) > 0 {
		return failures[0]
	}
	return best
}

// leave ends an association or an attempt, whatever became of ctx.
func (k *keeper) leave() {
	k.lease.stop()
	k.wish.joined = nil
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	_ = k.cfg.Radio.Leave(ctx, k.iface)
	_ = k.cfg.Host.ClearAddresses(k.iface.Name)
}
