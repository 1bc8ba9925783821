package privsep

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"strconv"
	"strings"
)

// socket is a line of the kernel's tables of TCP sockets.
type socket struct {
	local, remote netip.AddrPort
	state         uint64
	uid           uint64
}

// established is the state of a socket whose owner is known. That of one that was
// closed is root in the table, whoever it was (Linux, net/ipv4/tcp_ipv4.c,
// get_timewait4_sock).
const established = 1

// foreign reports whether the socket at the other end of a connection within this
// machine is not known to be a user's.
func foreign(tables string, peer, here netip.AddrPort, user int) bool {
	for line := range strings.Lines(tables) {
		s, ok := parseSocket(line)
		if ok && s.local == peer && s.remote == here {
			return s.state != established || s.uid != uint64(user)
		}
	}
	return true
}

// parseSocket reads a line such as
// "0: 0100007F:1940 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 42 ...".
func parseSocket(line string) (s socket, ok bool) {
	const local, remote, state, uid = 1, 2, 3, 7
	f := strings.Fields(line)
	if len(f) <= uid {
		return s, false
	}
	var errs [2]error
	s.local, ok = parseEnd(f[local])
	if !ok {
		return s, false
	}
	s.remote, ok = parseEnd(f[remote])
	s.state, errs[0] = strconv.ParseUint(f[state], 16, 8)
	s.uid, errs[1] = strconv.ParseUint(f[uid], 10, 32)
	return s, ok && errs[0] == nil && errs[1] == nil
}

// parseEnd reads an address and a port. The address is words of 32 bits, each in the
// machine's own order.
func parseEnd(text string) (netip.AddrPort, bool) {
	words, port, ok := strings.Cut(text, ":")
	if !ok {
		return netip.AddrPort{}, false
	}
	number, err := strconv.ParseUint(port, 16, 16)
	if err != nil {
		return netip.AddrPort{}, false
	}
	b, err := hex.DecodeString(words)
	if err != nil || len(b)%4 != 0 {
		return netip.AddrPort{}, false
	}
	for i := 0; i < len(b); i += 4 {
		binary.NativeEndian.PutUint32(b[i:], binary.BigEndian.Uint32(b[i:]))
	}
	addr, ok := netip.AddrFromSlice(b)
	return netip.AddrPortFrom(addr.Unmap(), uint16(number)), ok
}
