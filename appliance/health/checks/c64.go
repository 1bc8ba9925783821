package checks

import (
	"context"
	"fmt"
	"strings"

	"github.com/prompt64/prompt64/appliance/health"
)

// Lease is one C64's hold on a conversation.
type Lease struct {
	Addr     string // of its C64; a serial line has a name
	Attached bool
	Stale    bool // attached, but shows no sign of life
}

// C64 looks at who is connected.
func C64(leases func() []Lease) health.Probe {
	return probe(health.C64, "C64", func(context.Context) health.Node { return c64(leases()) }, health.Bridge)
}

func c64(leases []Lease) health.Node {
	var at []string
	away, stale := 0, 0
	for _, l := range leases {
		switch {
		case !l.Attached:
			away++
		case l.Stale:
			stale++
		default:
			at = append(at, l.Addr)
		}
	}
	more := ""
	if away > 0 {
		more = fmt.Sprintf("; %s may come back", plural(away, "more", "more"))
	}
	switch {
	case stale > 0 && len(at) == 0:
		return warn("Look at the C64 and its network cable.", "%s shows no sign of life%s", plural(stale, "C64", "C64s"), more)
	case len(at) > 0:
		return ok("%s: %s%s", plural(len(at), "is connected", "are connected"), strings.Join(at, ", "), more)
	case away > 0:
		return off("none is connected; %s", plural(away, "conversation waits for its C64", "conversations wait for their C64s"))
	}
	return off("none is connected")
}
