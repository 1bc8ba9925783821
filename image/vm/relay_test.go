package vm

import (
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The relay is this program again, as QEMU starts it: a connection is its standard
// input.
func TestRelayCarriesAConnectionBothWays(t *testing.T) {
	far, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		c, err := far.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		question := make([]byte, 5)
		if _, err := io.ReadFull(c, question); err == nil {
			_, _ = c.Write([]byte(strings.ToUpper(string(question))))
		}
	}()
	guest, theirs := pair(t)
	command, variable, value, err := RelayTo(far.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	relay := exec.Command("sh", "-c", "exec "+command) // it is quoted for a shell
	relay.Env = append(os.Environ(), variable+"="+value)
	relay.Stdin, relay.Stdout = theirs, theirs
	if err := relay.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirs.Close()
	if _, err := guest.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(guest)
	if err != nil || string(answer) != "HELLO" {
		t.Errorf("%q, %v", answer, err)
	}
	if err := relay.Wait(); err != nil {
		t.Error(err)
	}
	<-answered
}

// pair is a connection whose far end can be given to a program.
func pair(t *testing.T) (near net.Conn, far *os.File) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	near, err = net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { near.Close() })
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if far, err = c.(*net.TCPConn).File(); err != nil {
		t.Fatal(err)
	}
	return near, far
}

func TestGuestReachesWhatItIsAllowedAndNothingElse(t *testing.T) {
	args := Config{Machine: Virt, Outward: map[string]string{Gateway(2): "'b'", Gateway(1): "a,c"}}.arguments("d", "")
	i := slices.Index(args, "-netdev")
	want := "user,id=n0,restrict=on,guestfwd=tcp:10.0.2.100:1-cmd:a,,c,guestfwd=tcp:10.0.2.100:2-cmd:'b'"
	if i < 0 || args[i+1] != want {
		t.Errorf("the network is %q", args[i+1])
	}
}
