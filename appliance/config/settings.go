package config

import (
	"encoding/json"
	"log/slog"
	"net/netip"
	"slices"

	"github.com/prompt64/prompt64/frames"
)

// Version is the version of the file that this package reads and writes.
const Version = 1

// Settings are the device's settings. Texts that are empty stand for what the
// program starts with by itself.
type Settings struct {
	Hostname   string
	Listen     string // HOST:PORT for C64s
	Web        string // HOST:PORT for browsers
	Provider   string
	Workspaces string // a folder; below the data folder unless absolute
	Pairing    Pairing
	Wifi       []Network // in the order in which they are tried
	Serial     Serial
	Defaults   Defaults
	Password   Password // of the pages

	extra []member // unknown fields, kept
}

// Pairing says who may drive the agent.
type Pairing struct {
	Code  Secret   // empty: pairs nobody
	Allow []string // addresses, networks, "loopback"

	extra []member
}

// Prefixes returns the allow list as networks.
func (p Pairing) Prefixes() []netip.Prefix {
	var out []netip.Prefix
	for _, word := range p.Allow {
		if nets, err := parseAllow(word); err == nil {
			out = append(out, nets...)
		}
	}
	return out
}

// Network is a Wi-Fi network that the device may join.
type Network struct {
	SSID   string
	PSK    Secret // empty: an open network
	Region string // ISO 3166 country, which decides on channels; may be empty

	extra []member
}

// Serial is the serial line to a C64.
type Serial struct {
	Port string // a device below /dev; empty: no serial line
	Baud int

	extra []member
}

// Defaults are what a fresh lease starts with.
type Defaults struct {
	Access    frames.Access
	Reasoning frames.Reasoning
	Palette   bool // the PETSCII graphic palette

	extra []member
}

// Default returns the settings of a device that nobody has set up: only the
// machine itself may drive the agent.
func Default() Settings {
	return Settings{
		Hostname: "prompt64",
		Pairing:  Pairing{Allow: []string{loopback}},
		Serial:   Serial{Baud: 38400},
		Defaults: Defaults{Access: frames.AccessAsk, Reasoning: frames.ReasoningSummary},
	}
}

// Clone returns a copy that shares nothing that can be changed.
func (s Settings) Clone() Settings {
	s.extra = slices.Clone(s.extra)
	s.Pairing.extra = slices.Clone(s.Pairing.extra)
	s.Pairing.Allow = slices.Clone(s.Pairing.Allow)
	s.Serial.extra = slices.Clone(s.Serial.extra)
	s.Defaults.extra = slices.Clone(s.Defaults.extra)
	s.Wifi = slices.Clone(s.Wifi)
	for i := range s.Wifi {
		s.Wifi[i].extra = slices.Clone(s.Wifi[i].extra)
	}
	return s
}

// SetPassword sets the password of the pages.
func (s *Settings) SetPassword(plain string) error {
	p, err := NewPassword(plain)
	if err != nil {
		return err
	}
	s.Password = p
	return nil
}

// MarshalJSON writes the settings for a support bundle: secrets are hidden, and
// of unknown fields, which may be misspelled secrets, nothing is told.
func (s Settings) MarshalJSON() ([]byte, error) {
	return write(s, view{secrets: showHidden}), nil
}

// LogValue logs what MarshalJSON writes.
func (s Settings) LogValue() slog.Value { return slog.StringValue(s.String()) }

// String is what MarshalJSON writes.
func (s Settings) String() string { return string(write(s, view{secrets: showHidden})) }

var (
	_ json.Marshaler = Settings{}
	_ slog.LogValuer = Settings{}
)
