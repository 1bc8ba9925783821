package checks

import (
	"context"
	"fmt"

	"github.com/prompt64/prompt64/appliance/health"
)

// SerialLine is the line as it is set up; without a port there is none.
type SerialLine struct {
	Port     string
	Baud     int
	Problem  string // why it is not in use, if it should be
	Attached bool   // a C64 is connected through it
}

// Serial looks at the serial line. exists reports whether a device is there.
func Serial(line func() SerialLine, exists func(path string) bool) health.Probe {
	return probe(health.Serial, "Serial line", func(context.Context) health.Node {
		s := line()
		switch {
		case s.Port == "":
			return off("none is set up")
		case s.Problem != "":
			return fail("Correct the serial line in the settings.", "%s: %s", s.Port, s.Problem)
		case s.Attached:
			return ok("a C64 is connected through %s at %d baud", s.Port, s.Baud)
		case !exists(s.Port):
			return fail("Plug the serial adapter in. It need not be the same socket.", "the adapter %s is not there", s.Port)
		}
		return ok("%s is open at %d baud, and no C64 speaks", s.Port, s.Baud)
	})
}

// Radio is how the Wi-Fi does.
type Radio struct {
	Networks  int    // how many are set up; 0: it is not used
	Joined    bool   // to SSID
	SSID      string // joined, or tried
	Signal    int    // dBm; 0: not known
	Address   string // empty: none yet
	Trouble   string // the last failure, in words
	NotNeeded bool   // a cable is in use
}

// Signals weaker than this lose packets.
const weakSignal = -75

// Wifi looks at the radio; nil where this program does not look after it.
func Wifi(radio func() Radio) health.Probe {
	return probe(health.Wifi, "Wi-Fi", func(context.Context) health.Node {
		if radio == nil {
			return off("this computer's own programs look after it")
		}
		return wifi(radio())
	}, health.Power, health.Settings)
}

func wifi(r Radio) health.Node {
	strength := ""
	if r.Signal != 0 {
		strength = fmt.Sprintf(", signal %d dBm", r.Signal)
	}
	switch {
	case r.Networks == 0:
		return off("no network is set up")
	case r.Joined && r.Address == "":
		return warn("Wait a moment. If it stays like this, look at the router.", "joined %q%s, but the router gave no address yet", r.SSID, strength)
	case r.Joined && r.Signal != 0 && r.Signal < weakSignal:
		return warn("Move the Raspberry Pi or the router.", "joined %q as %s, but the signal is weak (%d dBm)", r.SSID, r.Address, r.Signal)
	case r.Joined:
		return ok("joined %q as %s%s", r.SSID, r.Address, strength)
	case r.NotNeeded:
		return warn("Nothing, as long as the cable stays.", "not joined: %s", orElse(r.Trouble, "it is tried again"))
	}
	return fail("Look at the network's name and password on the pages.", "not joined: %s", orElse(r.Trouble, "it is tried again"))
}
