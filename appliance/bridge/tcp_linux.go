package bridge

import (
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// Unanswered attempts that, with the silence, prove a peer gone. Retransmissions
// double from 200 ms, so there are five of them in eight seconds.
const (
	deadRetransmits = 3
	deadProbes      = 3
)

// tcpState reads TCP_INFO.
func tcpState(c *net.TCPConn, silence time.Duration) (lineState, bool) {
	raw, err := c.SyscallConn()
	if err != nil {
		return lineState{}, false
	}
	var info *unix.TCPInfo
	var infoErr error
	err = raw.Control(func(fd uintptr) {
		info, infoErr = unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO)
	})
	if err != nil || infoErr != nil {
		return lineState{}, false
	}
	return lineState{acked: info.Bytes_acked, dead: unanswered(info, silence)}, true
}

// unanswered says that the peer answers nothing any more. Keepalive does not
// probe while data is under way, and the kernel itself retransmits for a
// quarter of an hour. With a closed window the kernel probes ever more rarely,
// so only the count of unanswered probes tells there, never the time.
func unanswered(info *unix.TCPInfo, silence time.Duration) bool {
	quiet := time.Duration(min(info.Last_ack_recv, info.Last_data_recv)) * time.Millisecond
	if quiet < silence {
		return false
	}
	return info.Unacked > 0 && info.Retransmits >= deadRetransmits || info.Probes >= deadProbes
}
