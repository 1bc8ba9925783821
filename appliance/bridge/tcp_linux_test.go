package bridge

import (
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestOnlyUnansweredAttemptsAndSilenceTogetherProveAPeerGone(t *testing.T) {
	const silence = 8 * time.Second
	quiet := uint32((8 * time.Second).Milliseconds())
	hour := uint32(time.Hour.Milliseconds())
	for name, tc := range map[string]struct {
		info unix.TCPInfo
		dead bool
	}{
		"idle":                         {unix.TCPInfo{Last_ack_recv: hour, Last_data_recv: hour}, false},
		"radio gone, data under way":   {unix.TCPInfo{Unacked: 2, Retransmits: 5, Last_ack_recv: quiet, Last_data_recv: hour}, true},
		"data under way, early":        {unix.TCPInfo{Unacked: 2, Retransmits: 5, Last_ack_recv: quiet - 1, Last_data_recv: hour}, false},
		"peer still sends":             {unix.TCPInfo{Unacked: 2, Retransmits: 5, Last_ack_recv: quiet, Last_data_recv: 10}, false},
		"just sent after an idle hour": {unix.TCPInfo{Unacked: 1, Retransmits: 1, Last_ack_recv: hour, Last_data_recv: hour}, false},
		"window closed, probes answered": {unix.TCPInfo{Probes: 0, Backoff: 9, Notsent_bytes: 999,
			Last_ack_recv: 2 * quiet, Last_data_recv: hour}, false},
		"window closed, one probe under way": {unix.TCPInfo{Probes: 1, Notsent_bytes: 999,
			Last_ack_recv: 2 * quiet, Last_data_recv: hour}, false},
		"window closed, probes unanswered": {unix.TCPInfo{Probes: 3, Notsent_bytes: 999,
			Last_ack_recv: 2 * quiet, Last_data_recv: hour}, true},
	} {
		if got := unanswered(&tc.info, silence); got != tc.dead {
			t.Errorf("%s: dead = %v, want %v", name, got, tc.dead)
		}
	}
}

// accepted returns both ends of a connection that was tuned as the server does.
func accepted(t *testing.T) (client *peer, server *net.TCPConn) {
	t.Helper()
	l := listenTCP(t)
	t.Cleanup(func() { _ = l.Close() })
	client = dialTCP(t, l)
	nc, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = nc.Close() })
	tuneTCP(nc, defaultTuning())
	return client, nc.(*net.TCPConn)
}

func TestKeepaliveIsTheProtocolsAndNoUserTimeoutOverridesIt(t *testing.T) {
	_, server := accepted(t)
	raw, err := server.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	err = raw.Control(func(fd uintptr) {
		for _, option := range []struct {
			name              string
			level, opt, value int
		}{
			{"SO_KEEPALIVE", unix.SOL_SOCKET, unix.SO_KEEPALIVE, 1},
			{"TCP_KEEPIDLE", unix.IPPROTO_TCP, unix.TCP_KEEPIDLE, 5},
			{"TCP_KEEPINTVL", unix.IPPROTO_TCP, unix.TCP_KEEPINTVL, 1},
			{"TCP_KEEPCNT", unix.IPPROTO_TCP, unix.TCP_KEEPCNT, 3},
			{"TCP_USER_TIMEOUT", unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, 0},
			{"TCP_NODELAY", unix.IPPROTO_TCP, unix.TCP_NODELAY, 1},
		} {
			if got, err := unix.GetsockoptInt(int(fd), option.level, option.opt); err != nil || got != option.value {
				t.Errorf("%s = %d, %v; want %d", option.name, got, err, option.value)
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
}

func TestKernelCountsAcknowledgedBytesWhetherTheyAreReadOrNot(t *testing.T) {
	_, server := accepted(t)
	before, ok := lineOf(server, time.Hour)
	if !ok {
		t.Fatal("TCP_INFO tells nothing")
	}
	const sent = 5000
	if _, err := server.Write(make([]byte, sent)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "all bytes are acknowledged", func() bool {
		now, ok := lineOf(server, time.Hour)
		return ok && now.acked == before.acked+sent
	})
	_ = server.Close()
	if _, ok := lineOf(server, time.Hour); ok {
		t.Error("a closed connection tells something")
	}
}
