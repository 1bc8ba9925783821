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
	"strings"
)

// Link is the way by which a C64 reaches the bridge.
type Link uint8

// The links.
const (
	LinkUCI  Link = 0 // the Ultimate's network target
	LinkACIA Link = 1 // a SwiftLink at $DE00
	LinkAsk  Link = 2 // the connect screen asks
)

// Config is what the block holds. Baud and Scheme are indexes into the
// program's own tables.
type Config struct {
	Host   string // a name or a dotted IPv4 address
	Port   uint16
	Code   string // the pairing code; empty: none
	Link   Link
	Baud   uint8
	Scheme uint8 // colour scheme
	Sound  uint8 // 1: on
}

// Validate reports the first field that a C64 could not use, in words that say
// what to write instead.
func (c Config) Validate() error {
	if err := CheckHost(c.Host); err != nil {
		return err
	}
	if c.Port == 0 {
		return errors.New("port 0: a port is between 1 and 65535")
	}
	if err := CheckCode(c.Code); err != nil {
		return err
	}
	if c.Link > LinkAsk {
		return fmt.Errorf("link %d: it is 0 (UCI), 1 (ACIA) or 2 (ask)", c.Link)
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
