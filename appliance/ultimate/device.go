package ultimate

import (
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/prompt64/prompt64/appliance/config"
)

// Device is one to talk to.
type Device struct {
	Address  netip.Addr
	Password config.Secret // its network password; empty: none is set
}

// Identity is what a device says of itself. It is not proven.
type Identity struct {
	Address   netip.Addr `json:"address"`
	Product   string     `json:"product,omitempty"`
	Firmware  string     `json:"firmware,omitempty"`
	Hostname  string     `json:"hostname,omitempty"`
	UniqueID  string     `json:"uniqueId,omitempty"`
	Protected bool       `json:"protected,omitempty"` // it says that a password is set
}

// Switch is the state of a setting.
type Switch string

// The states. Unknown is one that was not asked for or not told.
const (
	Unknown Switch = ""
	On      Switch = "on"
	Off     Switch = "off"
)

// Found is a device and what is off with it.
type Found struct {
	Identity
	Also      []netip.Addr `json:"also,omitempty"` // its other addresses
	Own       netip.Addr   `json:"own"`            // this bridge's address as the device sees it
	Interface Switch       `json:"interface,omitempty"`
	Trouble   *Trouble     `json:"trouble,omitempty"` // nil: it can run the program
}

// fill completes what is not known yet.
func (i *Identity) fill(more Identity) {
	for _, f := range []struct{ have, add *string }{
		{&i.Product, &more.Product}, {&i.Firmware, &more.Firmware}, {&i.Hostname, &more.Hostname}, {&i.UniqueID, &more.UniqueID},
	} {
		if *f.have == "" {
			*f.have = *f.add
		}
	}
	i.Protected = i.Protected || more.Protected
}

// told is the JSON that both ways of asking answer with. The products leave fields
// out and add others.
type told struct {
	Product   string `json:"product"`
	Firmware  string `json:"firmware_version"`
	Hostname  string `json:"hostname"`
	UniqueID  string `json:"unique_id"`
	Protected bool   `json:"password_protected"`
	Token     string `json:"your_string"`
}

func (t told) identity() Identity {
	return Identity{
		Product: clean(t.Product), Firmware: clean(t.Firmware), Hostname: clean(t.Hostname), UniqueID: clean(t.UniqueID),
		Protected: t.Protected,
	}
}

// clean makes a text from the network fit to be shown.
func clean(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			continue
		}
		if n++; n > maxText {
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}
