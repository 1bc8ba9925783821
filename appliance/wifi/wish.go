package wifi

import (
	"slices"

	"github.com/prompt64/prompt64/appliance/config"
)

// wish is which networks are wanted.
type wish struct {
	list   []config.Network
	joined *config.Network // in use now
	// former was in use when the settings changed to networks without it. It
	// takes their place while none of them can be joined.
	former *config.Network
	trial  int // rounds that the others have before it
	fresh  bool
}

// same reports whether two entries of the settings join the same network.
func same(a, b config.Network) bool {
	return a.SSID == b.SSID && a.PSK.Equal(b.PSK)
}

func holds(list []config.Network, n config.Network) bool {
	return slices.ContainsFunc(list, func(o config.Network) bool { return same(o, n) })
}

// take takes the settings' networks over and reports whether that changes
// anything for what is going on now.
func (w *wish) take(list []config.Network) bool {
	before := w.list
	if slices.EqualFunc(before, list, func(a, b config.Network) bool { return same(a, b) && a.Region == b.Region }) {
		return false
	}
	w.list = list
	switch {
	case len(list) == 0:
		w.former = nil
	case w.joined != nil && !holds(list, *w.joined):
		w.former, w.trial = w.joined, trialRounds
	case w.former != nil && holds(list, *w.former):
		w.former = nil
	case w.former != nil:
		w.trial = trialRounds
	}
	if w.joined != nil && w.undisturbed(before) {
		return false
	}
	w.fresh = true
	return true
}

// undisturbed reports whether the network in use may stay: it is still wanted,
// and none that is new goes before it.
func (w *wish) undisturbed(before []config.Network) bool {
	for _, n := range w.list {
		if same(n, *w.joined) {
			return true
		}
		if !holds(before, n) {
			return false
		}
	}
	return false
}

// candidates are the networks to try in this round, in order.
func (w *wish) candidates() []config.Network {
	list := slices.Clone(w.list)
	if w.former != nil && w.trial <= 0 {
		list = append(list, *w.former)
	}
	return list
}

// failed ends a round in which no network was joined.
func (w *wish) failed() {
	if w.trial > 0 {
		w.trial--
	}
}

// succeeded notes that n is in use, and reports whether it is the former one.
func (w *wish) succeeded(n config.Network) (fallback bool) {
	w.joined = &n
	if holds(w.list, n) {
		w.former = nil
		return false
	}
	return true
}
