package bridge

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// Addresses of RFC 2544, for benchmarks: no network that anybody uses.
const (
	bridgeAddr = "198.18.0.1"
	c64Addr    = "198.18.0.2"
	otherAddr  = "198.18.0.3" // the same C64 after a reset, or its neighbour
)

// cable is a wire between two network namespaces, one with the bridge and one
// with the C64s, so that a line can die as lines do: without a word to either
// end. The machine's own network is left alone.
type cable struct {
	t            *testing.T
	bridge, c64s string // the namespaces
}

var cables atomic.Int32

func newCable(t *testing.T) *cable {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may make network namespaces: run the tests as root to see lines die")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("there is no ip command: scripts/setup installs iproute2")
	}
	name := fmt.Sprintf("p64-%d-%d", os.Getpid(), cables.Add(1))
	c := &cable{t: t, bridge: name + "-bridge", c64s: name + "-c64s"}
	for _, ns := range []string{c.bridge, c.c64s} {
		if out, err := exec.Command("ip", "netns", "add", ns).CombinedOutput(); err != nil {
			t.Skipf("this machine makes no network namespaces: %s", out)
		}
		t.Cleanup(func() { c.ip("netns", "del", ns) })
	}
	c.ip("-n", c.bridge, "link", "add", "near", "type", "veth", "peer", "name", "far", "netns", c.c64s)
	c.ip("-n", c.bridge, "addr", "add", bridgeAddr+"/24", "dev", "near")
	c.ip("-n", c.c64s, "addr", "add", c64Addr+"/24", "dev", "far")
	c.ip("-n", c.c64s, "addr", "add", otherAddr+"/24", "dev", "far")
	c.ip("-n", c.bridge, "link", "set", "near", "up")
	c.ip("-n", c.c64s, "link", "set", "far", "up")
	return c
}

func (c *cable) ip(args ...string) {
	c.t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		c.t.Fatalf("ip %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// hole swallows whatever is sent to a C64's address: the neighbour's hardware
// address is one that nobody has.
func (c *cable) hole(addr string) {
	c.t.Helper()
	c.ip("-n", c.bridge, "neigh", "replace", addr, "lladdr", "02:00:00:00:00:99", "dev", "near", "nud", "permanent")
}

// blackHole swallows both directions.
func (c *cable) blackHole() {
	c.t.Helper()
	c.hole(c64Addr)
	c.ip("-n", c.c64s, "neigh", "replace", bridgeAddr, "lladdr", "02:00:00:00:00:99", "dev", "far", "nud", "permanent")
}

// mend takes a black hole away.
func (c *cable) mend() {
	c.t.Helper()
	c.ip("-n", c.bridge, "neigh", "del", c64Addr, "dev", "near")
	c.ip("-n", c.c64s, "neigh", "del", bridgeAddr, "dev", "far")
}

// within runs do in a namespace. A socket stays in the one where it was made.
func (c *cable) within(ns string, do func() error) {
	c.t.Helper()
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		done <- func() error {
			fd, err := unix.Open("/run/netns/"+ns, unix.O_RDONLY|unix.O_CLOEXEC, 0)
			if err != nil {
				return err
			}
			defer unix.Close(fd)
			if err := unix.Setns(fd, unix.CLONE_NEWNET); err != nil {
				return err
			}
			return do()
		}()
	}()
	if err := <-done; err != nil {
		c.t.Fatal(err)
	}
}

// serve starts a bridge at the one end; its send buffers are small.
func (c *cable) serve(tune tuning) *stack {
	c.t.Helper()
	s := startStack(c.t, tune, NewPairing("", []netip.Prefix{netip.MustParsePrefix("198.18.0.0/24")}))
	var l net.Listener
	c.within(c.bridge, func() (err error) {
		l, err = net.Listen("tcp", bridgeAddr+":0")
		return err
	})
	served := make(chan error, 1)
	go func() { served <- s.Serve(c.t.Context(), tightListener{l}) }()
	c.t.Cleanup(func() {
		_ = l.Close()
		<-served
	})
	s.addr = l.Addr().String()
	return s
}

// dial connects a C64 at the other end.
func (c *cable) dial(s *stack, from string) *peer {
	c.t.Helper()
	var nc net.Conn
	c.within(c.c64s, func() (err error) {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		nc, err = d.Dial("tcp", s.addr)
		return err
	})
	return newPeer(c.t, nc)
}
