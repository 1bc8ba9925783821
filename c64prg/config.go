// Package c64prg holds the C64's program, prompt64.prg, and writes a bridge's
// address into it.
//
// It does not assemble the program: that is the Makefile's work in this folder,
// and its result is embedded here. It does not know whether an address can be
// reached, and it never finds out by asking the network.
//
// A PRG has one configuration block, found by its magic; a file with none or
// with several is refused, so that no other file is ever changed by mistake.
package c64prg

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// Link is the way by which a C64 reaches the bridge.
type Link uint8

// The links.
const (
	LinkUCI  Link = 0 // the Ultimate's network target
	LinkACIA Link = 1 // a SwiftLink or Turbo232 at $DE00 or $DF00
	LinkAsk  Link = 2 // the UCI where there is one, else the ACIA
)

// bauds are the speeds of a serial line in the program's order; the numbers above
// 38400 need a Turbo232.
var bauds = [...]int{38400, 19200, 9600, 4800, 2400, 57600, 115200}

// Bauds are the speeds that a serial line may have.
func Bauds() []int { return slices.Sorted(slices.Values(bauds[:])) }

// BaudNumber is the number by which Config.Baud names a speed; ok is false for
// one that the program does not have.
func BaudNumber(baud int) (n uint8, ok bool) {
	i := slices.Index(bauds[:], baud)
	return uint8(max(i, 0)), i >= 0
}

// Config is what the block holds. Baud is a number from BaudNumber, Scheme one of
// the program's own.
type Config struct {
	Host   string // a name or a dotted IPv4 address
	Port   uint16
	Code   string // the pairing code; empty: none
	Link   Link
	Baud   uint8
	Scheme uint8 // colour scheme
	Sound  uint8 // 1: on
}

// AtSpeed is the same for a C64 at a serial line of that speed; 0 is the network.
func (c Config) AtSpeed(baud int) (Config, error) {
	c.Link, c.Baud = LinkUCI, 0
	if baud == 0 {
		return c, nil
	}
	n, ok := BaudNumber(baud)
	if !ok {
		return c, fmt.Errorf("%d baud: the speed of a serial line is one of %s", baud, strings.Trim(fmt.Sprint(Bauds()), "[]"))
	}
	c.Link, c.Baud = LinkACIA, n
	return c, nil
}

// Validate reports the first field that a C64 could not use, in words that say
// what to write instead.
func (c Config) Validate() error {
	if c.Host != "" || c.Link != LinkACIA { // a serial line goes to one place only
		if err := CheckHost(c.Host); err != nil {
			return err
		}
	}
	if c.Port == 0 {
		return errors.New("port 0: a port is between 1 and 65535")
	}
	if err := CheckCode(c.Code); err != nil {
		return err
	}
	if c.Link > LinkAsk {
		return fmt.Errorf("link %d: it is 0 (UCI), 1 (ACIA) or 2 (UCI if there is one)", c.Link)
	}
	if int(c.Baud) >= len(bauds) {
		return fmt.Errorf("baud number %d: it is at most %d", c.Baud, len(bauds)-1)
	}
	return nil
}

// CheckHost reports why a C64 cannot dial host: it must be a name or a dotted
// IPv4 address of at most 63 characters, since the Ultimate's network target
// speaks IPv4 only.
func CheckHost(host string) error {
	switch {
	case host == "":
		return errors.New("host is empty: give the bridge's name or IPv4 address")
	case len(host) >= HostSize:
		return fmt.Errorf("host has %d characters: at most %d fit", len(host), HostSize-1)
	case strings.Contains(host, ":"):
		return fmt.Errorf("host %q: the C64 knows IPv4 addresses and names only, without a port", host)
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	for _, label := range labels {
		if !validLabel(label) {
			return fmt.Errorf("host %q: a name has letters, digits, '-' and '_' between its dots", host)
		}
	}
	if numeric(labels[len(labels)-1]) {
		if a, err := netip.ParseAddr(host); err != nil || !a.Is4() {
			return fmt.Errorf("host %q: an IPv4 address is four numbers up to 255, such as 192.168.1.20", host)
		}
	}
	return nil
}

func validLabel(label string) bool {
	if label == "" || label[0] == '-' || label[len(label)-1] == '-' {
		return false
	}
	for _, b := range []byte(label) {
		switch {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', b == '-', b == '_':
		default:
			return false
		}
	}
	return true
}

func numeric(label string) bool {
	return strings.Trim(label, "0123456789") == ""
}

// CheckCode reports why code is no pairing code: it is empty, or 8 characters
// of A-Z and 2-9. The error never repeats the code.
func CheckCode(code string) error {
	if code == "" {
		return nil
	}
	if len(code) != CodeSize {
		return fmt.Errorf("pairing code has %d characters: it has %d", len(code), CodeSize)
	}
	for _, b := range []byte(code) {
		if !('A' <= b && b <= 'Z' || '2' <= b && b <= '9') {
			return errors.New("pairing code: its characters are A-Z and 2-9")
		}
	}
	return nil
}
