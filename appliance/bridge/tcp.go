package bridge

import (
	"net"
	"time"
)

// lineState is what the transport itself knows about a connection.
type lineState struct {
	acked uint64 // bytes that the peer's transport has acknowledged
	dead  bool   // what was sent goes unanswered, as long as keepalive would wait
}

// lineFunc asks a connection's transport; ok is false where it cannot tell.
// silence is how long a peer may leave everything unanswered.
type lineFunc func(nc net.Conn, silence time.Duration) (state lineState, ok bool)

// acknowledger is a connection that is not TCP but counts what its peer has
// acknowledged, as the serial link does.
type acknowledger interface {
	// Acknowledged returns the bytes that the peer acknowledged so far.
	Acknowledged() uint64
}

// tuneTCP prepares a connection: small frames go out at once, and keepalive
// probes find a peer that has gone while nothing is being sent.
//
// TCP_USER_TIMEOUT is left alone on purpose. Linux counts it from the first
// probe of a closed window whether or not probes are answered
// (net/ipv4/tcp_timer.c, tcp_probe_timer), so it would end a C64 that is merely
// slow or frozen in its menu; and it overrides the count of keepalive probes. A
// peer that leaves sent data unanswered is found by lineOf instead.
func tuneTCP(nc net.Conn, t tuning) {
	tcp, ok := nc.(*net.TCPConn)
	if !ok {
		return
	}
	// An error here means that the connection is gone; the first read says so.
	_ = tcp.SetNoDelay(true)
	_ = tcp.SetKeepAliveConfig(net.KeepAliveConfig{
		Enable: true, Idle: t.keepIdle, Interval: t.keepInterval, Count: t.keepCount,
	})
}

// lineOf is the lineFunc of a Server.
func lineOf(nc net.Conn, silence time.Duration) (state lineState, ok bool) {
	switch c := nc.(type) {
	case *net.TCPConn:
		return tcpState(c, silence)
	case acknowledger:
		return lineState{acked: c.Acknowledged()}, true
	}
	return lineState{}, false
}

// cut ends a connection without waiting for what is still to be sent: a peer
// that does not read would otherwise keep the socket for minutes.
func cut(nc net.Conn) {
	if tcp, ok := nc.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = nc.Close()
}

// closeWrite ends the sending half where the transport has halves.
func closeWrite(nc net.Conn) {
	if half, ok := nc.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
}
