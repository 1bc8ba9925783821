package ultimatetest

import (
	"context"
	"encoding/json"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// Ultimate is one fake device.
type Ultimate struct {
	Model
	Address netip.Addr

	lan  *LAN
	udp  *net.UDPConn
	done chan struct{} // closed when the test ends

	mu        sync.Mutex
	faults    []Fault
	on, saved bool // the command interface
	programs  [][]byte
	requests  []string
	at, worst int // requests at once
}

// Enabled reports the command interface's state, and the one that it will have
// after the power was off.
func (u *Ultimate) Enabled() (now, saved bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.on, u.saved
}

// SetEnabled switches the command interface as its owner does at the menu.
func (u *Ultimate) SetEnabled(on bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.on, u.saved = on, on
}

// Programs are those that it was told to run; each was a reset of its C64.
func (u *Ultimate) Programs() [][]byte {
	u.mu.Lock()
	defer u.mu.Unlock()
	return append([][]byte(nil), u.programs...)
}

// Requests are the REST requests that came, as "GET /v1/info".
func (u *Ultimate) Requests() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return append([]string(nil), u.requests...)
}

// AtOnce is how many requests it had to serve at the same time, at worst.
func (u *Ultimate) AtOnce() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.worst
}

// identify answers by UDP. The firmware sends back at most 32 bytes of a token.
func (u *Ultimate) identify(from netip.AddrPort, b []byte) {
	token, ok := strings.CutPrefix(string(b), "json")
	if !ok || u.udp == nil {
		return
	}
	answer := u.identity()
	answer["your_string"] = token[:min(len(token), 32)]
	answer["menu_header"] = "*** " + u.Product + " ***"
	if u.Password != "" {
		answer["password_protected"] = true
	}
	text, err := json.MarshalIndent(answer, "", "  ")
	if err != nil {
		panic(err)
	}
	_, _ = u.udp.WriteToUDPAddrPort(text, from)
}

// Say sends any datagram from this device's Ident port, as somebody with bad
// intentions can.
func (u *Ultimate) Say(to netip.AddrPort, text string) {
	_, _ = u.udp.WriteToUDPAddrPort([]byte(text), to)
}

func (u *Ultimate) identity() map[string]any {
	id := map[string]any{"product": u.Product, "firmware_version": u.Firmware, "fpga_version": "122", "hostname": "Ultimate-" + u.UniqueID}
	if u.UniqueID != "" {
		id["unique_id"] = u.UniqueID
	}
	return id
}

func skip(ctx context.Context, _ time.Duration) error { return ctx.Err() }
