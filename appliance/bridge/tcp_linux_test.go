package bridge

import (
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
