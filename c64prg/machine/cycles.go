package machine

import (
	"fmt"
	"sort"
)

// Cost is what a routine took in a profile.
type Cost struct {
	Name   string
	Cycles uint64
}

// Profile starts (or restarts) counting cycles by address.
func (m *Machine) Profile() { m.prof = new([65536]uint64) }

// StopProfile ends counting; what was counted is dropped.
func (m *Machine) StopProfile() { m.prof = nil }

// RangeCycles is what instructions at from..to-1 took since Profile, with what
// the VIC-II stole from them.
func (m *Machine) RangeCycles(from, to uint16) uint64 {
	sum := uint64(0)
	if m.prof == nil {
		return 0
	}
	for _, n := range m.prof[from:to] {
		sum += n
	}
	return sum
}

// Costs sums the profile by symbol, the most costly first.
func (m *Machine) Costs() []Cost {
	sums := map[string]uint64{}
	if m.prof == nil {
		return nil
	}
	for pc, n := range m.prof {
		if n == 0 {
			continue
		}
		name := fmt.Sprintf("$%04X", pc)
		if m.labels != nil {
			if s, _, ok := m.labels.At(uint16(pc)); ok {
				name = s
			}
		}
		sums[name] += n
	}
	out := make([]Cost, 0, len(sums))
	for name, n := range sums {
		out = append(out, Cost{name, n})
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Cycles != out[j].Cycles {
			return out[i].Cycles > out[j].Cycles
		}
		return out[i].Name < out[j].Name
	})
	return out
}

// Between measures the cycles from each arrival at one address to the next
// arrival at another, until stop is called.
func (m *Machine) Between(from, to uint16, took func(cycles uint64)) (stop func()) {
	var began uint64
	running := false
	m.Break(from, func() {
		if !running {
			began, running = m.clk, true
		}
	})
	m.Break(to, func() {
		if running {
			running = false
			took(m.clk - began)
		}
	})
	return func() {
		m.Break(from, nil)
		m.Break(to, nil)
	}
}
