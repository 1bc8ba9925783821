package host

import (
	"os/exec"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// TestAddressesOfAFormerNetworkAreCleared works on the loopback interface of a
// network namespace of its own.
func TestAddressesOfAFormerNetworkAreCleared(t *testing.T) {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and not unlocked: the thread ends with its namespace
		err := unix.Unshare(unix.CLONE_NEWNET)
		if err == nil {
			clearAddresses(t)
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Skip("no network namespace of its own: ", err)
	}
}

func clearAddresses(t *testing.T) {
	h := New(Config{})
	if got := h.Address("lo"); got.IsValid() && !got.Addr().IsLoopback() {
		t.Errorf("address before is %v", got)
	}
	for _, args := range [][]string{
		{"addr", "flush", "dev", "lo"}, {"link", "set", "lo", "up"}, {"addr", "flush", "dev", "lo"},
		{"addr", "add", "169.254.7.7/16", "dev", "lo", "scope", "link"},
		{"addr", "add", "192.168.7.7/24", "dev", "lo"}, {"addr", "add", "192.168.8.8/24", "dev", "lo"},
	} {
		if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
			t.Errorf("ip %q: %v: %s", args, err, out)
			return
		}
	}
	if got := h.Address("lo").String(); got != "192.168.7.7/24" {
		t.Errorf("address is %s, want one that others can use", got)
	}
	if err := h.ClearAddresses("lo"); err != nil {
		t.Error(err)
	}
	if got := h.Address("lo"); got.IsValid() {
		t.Errorf("address %v is left", got)
	}
	if err := h.ClearAddresses("wlan99"); err != nil {
		t.Errorf("an interface that is gone has no addresses: %v", err)
	}
}
