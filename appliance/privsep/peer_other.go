//go:build !linux

package privsep

import "net"

// Foreign is for a device.
func Foreign(net.Conn) bool { return false }
