package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"syscall"
)

// checkAddress reports what is wrong with a HOST:PORT.
func checkAddress(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return errors.New("write it as HOST:PORT, such as 127.0.0.1:6464")
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return errors.New("a port is a number up to 65535")
	}
	return nil
}

// network keeps an IPv4 address to IPv4: of "tcp" Go would make 0.0.0.0 every
// address of IPv6 as well, and say [::] of it.
func network(addr string) string {
	if at, err := netip.ParseAddrPort(addr); err == nil && at.Addr().Is4() {
		return "tcp4"
	}
	return "tcp"
}

// listen opens a listener; what says in words for whom.
func listen(what, flagName, addr string) (net.Listener, error) {
	l, err := net.Listen(network(addr), addr)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("listen for %s: %s is in use: end the other program or choose another port with %s", what, addr, flagName)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, fmt.Errorf("listen for %s: this machine has no address %s: choose another with %s", what, addr, flagName)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("listen for %s: %s is not permitted: ports below 1024 need rights; choose another with %s", what, addr, flagName)
	}
	return nil, fmt.Errorf("listen for %s: %w", what, err)
}

// addrWords is an address for people, also where there is none yet.
func addrWords(at net.Addr) string {
	if at == nil {
		return "none"
	}
	return at.String()
}

// portOf returns a listener's port.
func portOf(at net.Addr) uint16 {
	if tcp, ok := at.(*net.TCPAddr); ok {
		return uint16(tcp.Port)
	}
	return 0
}
