package image

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/prompt64/prompt64/frames/framestest"
	"github.com/prompt64/prompt64/image/nbd"
	"github.com/prompt64/prompt64/image/vm"
)

// copyImage copies an image and leaves its holes out.
func copyImage(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "card.img")
	if out, err := exec.Command("cp", "--sparse=always", from, to).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return to
}

// attach connects a C64 to the device's bridge. It needs no code, since the
// settings that were on the boot partition let it in.
func attach(t *testing.T, ctx context.Context, v *vm.VM) *framestest.Client {
	t.Helper()
	c := framestest.New(framestest.Config{Dial: func(ctx context.Context) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", v.Addr(bridgePort).String())
	}})
	t.Cleanup(func() { c.Close() })
	if err := v.Wait(ctx, c.Connect); err != nil {
		t.Fatal(err)
	}
	return c
}

// The power goes while the device starts for the first time: while it grows /perm,
// takes the owner's settings over, or writes its first state. Of what was not
// flushed anything may be lost. The next start completes it.
func TestPowerCutInTheFirstStartIsCompletedByTheNext(t *testing.T) {
	path := image(t, "qemu-amd64")
	total := writtenInFirstStart(t, path)
	cuts := 2
	if long {
		cuts = 40
	}
	for i := range cuts {
		after := total * int64(2*i+1) / int64(2*cuts)
		t.Run(fmt.Sprintf("after %d bytes", after), func(t *testing.T) {
			card := copyImage(t, path)
			v := boot(t, vm.Config{Machine: vm.PC, Image: card, Ports: []int{pagesPort, bridgePort},
				Fault: &nbd.Fault{After: after, Policy: nbd.Shuffle, Seed: uint64(i)}})
			select {
			case <-v.Exited():
			case <-time.After(patience):
				t.Fatal("the power did not fail")
			}
			if err := v.Stop(); err != nil {
				t.Fatal(err)
			}
			v = boot(t, vm.Config{Machine: vm.PC, Image: card, Ports: []int{pagesPort, bridgePort}, Fault: &nbd.Fault{After: -1}})
			ctx := within(t, patience)
			if err := v.WaitHTTP(ctx, pagesPort, "/"); err != nil {
				t.Fatal(err)
			}
			attach(t, ctx, v)
		})
	}
}

// writtenInFirstStart is how many bytes the device writes until it serves its
// owner, and a little longer.
func writtenInFirstStart(t *testing.T, path string) int64 {
	t.Helper()
	v := boot(t, vm.Config{Machine: vm.PC, Image: copyImage(t, path), Ports: []int{pagesPort, bridgePort}, Fault: &nbd.Fault{After: -1}})
	ctx := within(t, patience)
	if err := v.WaitHTTP(ctx, pagesPort, "/"); err != nil {
		t.Fatal(err)
	}
	attach(t, ctx, v)
	bytes, flushes := v.Disk().Written()
	t.Logf("a first start writes %d bytes and flushes %d times", bytes, flushes)
	if bytes == 0 || flushes == 0 {
		t.Fatal("nothing was written")
	}
	return bytes
}
