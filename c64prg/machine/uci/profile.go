package uci

import (
	"fmt"
	"strings"
	"time"
)

// Profile is what differs between firmware versions.
type Profile struct {
	Name        string
	ReadTimeout time.Duration // how long a READ without data blocks
	MaxAsk      int           // the largest READ that it takes
	SafeAsk     int           // the largest READ that its buffer holds; more is overrun
	BusyFirst   bool          // CMD_BUSY falls before STATE shows data, not after
	Blocks      bool          // a READ over 893 bytes comes in several blocks
	Interrupt   bool          // completion interrupt, id $49 while it is active
	OwnSockets  bool          // reset closes the sockets, foreign numbers are refused
}

// Sizes of the queues; see the facts on the VHDL: both pointers stop at the
// last byte.
const (
	queueSize  = 896
	maxCommand = queueSize - 1
	firstBlock = 893
	nextBlock  = 895
)

var profiles = []Profile{
	{Name: "3.10", ReadTimeout: 4 * time.Millisecond, MaxAsk: 894, SafeAsk: 510},
	{Name: "3.11", ReadTimeout: 4 * time.Second, MaxAsk: 894, SafeAsk: 510},
	{Name: "3.12", ReadTimeout: 4 * time.Second, MaxAsk: 894, SafeAsk: 894},
	{Name: "3.12a", ReadTimeout: 40 * time.Millisecond, MaxAsk: 894, SafeAsk: 894},
	{Name: "3.14", ReadTimeout: 40 * time.Millisecond, MaxAsk: 894, SafeAsk: 894, BusyFirst: true},
	{Name: "3.15", ReadTimeout: 40 * time.Millisecond, MaxAsk: 894, SafeAsk: 894, BusyFirst: true, Interrupt: true},
	{Name: "newer", ReadTimeout: 40 * time.Millisecond, MaxAsk: 1472, SafeAsk: 1472, BusyFirst: true,
		Blocks: true, Interrupt: true, OwnSockets: true},
}

// Profiles lists the firmware versions, oldest first.
func Profiles() []Profile { return append([]Profile(nil), profiles...) }

// ProfileNamed finds a profile.
func ProfileNamed(name string) (Profile, error) {
	var names []string
	for _, p := range profiles {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Profile{}, fmt.Errorf("uci: no firmware profile %q: there are %s", name, strings.Join(names, ", "))
}
