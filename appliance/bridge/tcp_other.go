//go:build !linux

package bridge

import (
	"net"
	"time"
)

// tcpState cannot tell: where there is no TCP_INFO, only frames show that a C64
// lives, and the kernel's own time-outs end a connection that does not.
func tcpState(*net.TCPConn, time.Duration) (lineState, bool) {
	return lineState{}, false
}
