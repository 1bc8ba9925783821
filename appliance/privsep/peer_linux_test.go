package privsep

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"os/exec"
	"testing"
)

func TestForeignPeerIsToldFromTheTablesOfSockets(t *testing.T) {
	const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	line := func(local, remote, state string, uid int) string {
		return fmt.Sprintf(" 7: %s %s %s 00000000:00000000 00:00000000 00000000 %5d        0 4711 1 0000000000000000 20 4 30 10 -1\n", local, remote, state, uid)
	}
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("the lines are those of a machine with the low byte first")
	}
	const mapped = "0000000000000000FFFF0000"
	peer, here := netip.MustParseAddrPort("127.0.0.1:40000"), netip.MustParseAddrPort("127.0.0.1:6464")
	for name, c := range map[string]struct {
		tables string
		want   bool
	}{
		"our own":         {head + line("0100007F:9C40", "0100007F:1940", "01", 7), false},
		"our own, by v6":  {head + line(mapped+"0100007F:9C40", mapped+"0100007F:1940", "01", 7), false},
		"another user's":  {head + line("0100007F:9C40", "0100007F:1940", "01", 8), true},
		"closed, so root": {head + line("0100007F:9C40", "0100007F:1940", "06", 7), true},
		"only our end":    {head + line("0100007F:1940", "0100007F:9C40", "01", 7), true},
		"another port":    {head + line("0100007F:9C41", "0100007F:1940", "01", 7), true},
		"nowhere":         {head, true},
		"no table":        {"", true},
		"no line":         {head + "1: x:y 0 0 0 0 0 0 0\n2: 0100007F 0100007F:1940 01 a b c 7\n", true},
	} {
		if got := foreign(c.tables, peer, here, 7); got != c.want {
			t.Errorf("%s: foreign %v", name, got)
		}
	}
}

// The agent may use the network, and so dial what listens here. By whichever address
// it does, it is not taken for one of us.
func TestConnectionOfAnotherUserIsForeignByEachAddressOfTheMachine(t *testing.T) {
	u, _ := open(t, Options{})
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash to dial with")
	}
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	for _, host := range ownHosts(t) {
		at := net.JoinHostPort(host, fmt.Sprint(port))
		ours, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		defer ours.Close()
		if accepted(t, l, Foreign) {
			t.Errorf("%s: our own connection is foreign", at)
		}
		cmd := exec.Command(bash, "-c", fmt.Sprintf("exec 3<>/dev/tcp/%s/%d; cat <&3", host, port))
		var said bytes.Buffer
		cmd.Dir, cmd.Stderr = "/", &said
		ended := make(chan error, 1)
		go func() { ended <- u.Run(cmd) }()
		if !accepted(t, l, Foreign) {
			t.Errorf("%s: the connection of another user is taken for our own", at)
		}
		if err := <-ended; err != nil {
			t.Errorf("%v: %s", err, &said)
		}
	}
}

// accepted takes a connection and looks at it.
func accepted(t *testing.T, l net.Listener, look func(net.Conn) bool) bool {
	t.Helper()
	nc, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	return look(nc)
}

// ownHosts are addresses by which this machine reaches itself.
func ownHosts(t *testing.T) []string {
	t.Helper()
	hosts := []string{"127.0.0.1", "127.0.0.77"}
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if ip := a.(*net.IPNet).IP; ip.To4() != nil && !ip.IsLoopback() || ip.Equal(net.IPv6loopback) {
			hosts = append(hosts, ip.String())
		}
	}
	return hosts
}

func TestConnectionWithAnotherMachineIsNotForeign(t *testing.T) {
	if within(netip.MustParseAddr("198.51.100.7"), netip.MustParseAddr("198.51.100.8")) {
		t.Error("an address of nobody's is this machine's")
	}
	near, far := net.Pipe()
	defer near.Close()
	defer far.Close()
	if Foreign(near) {
		t.Error("a line without an address is foreign")
	}
}
