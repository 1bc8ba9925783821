package image

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/gpt"
	"github.com/prompt64/prompt64/frames/framestest"
	"github.com/prompt64/prompt64/image/nbd"
	"github.com/prompt64/prompt64/image/vm"
)

// cardSize is a card's that is larger than the image.
const cardSize = 3 << 30

// copyImage copies an image onto a larger card and leaves its holes out.
func copyImage(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "card.img")
	if out, err := exec.Command("cp", "--sparse=always", from, to).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.Truncate(to, cardSize); err != nil {
		t.Fatal(err)
	}
	return to
}

// grown waits until the last partition reaches to the card's end, in both copies of
// the table.
func grown(t *testing.T, ctx context.Context, v *vm.VM, card string) {
	t.Helper()
	err := v.Wait(ctx, func(context.Context) error {
		f, err := os.Open(card)
		if err != nil {
			return err
		}
		defer f.Close()
		table, err := gpt.Read(f, cardSize/gpt.SectorSize)
		if err != nil {
			return err
		}
		part, err := table.Partition(4)
		if err == nil && (!table.Whole || table.LastUsable()-part.Last >= 8) {
			err = fmt.Errorf("/perm ends at sector %d, whole: %v", part.Last, table.Whole)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
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
			grown(t, ctx, v, card)
		})
	}
}

// writtenInFirstStart is how many bytes the device writes until it serves its
// owner, and a little longer.
func writtenInFirstStart(t *testing.T, path string) int64 {
	t.Helper()
	card := copyImage(t, path)
	v := boot(t, vm.Config{Machine: vm.PC, Image: card, Ports: []int{pagesPort, bridgePort}, Fault: &nbd.Fault{After: -1}})
	ctx := within(t, patience)
	if err := v.WaitHTTP(ctx, pagesPort, "/"); err != nil {
		t.Fatal(err)
	}
	attach(t, ctx, v)
	grown(t, ctx, v, card)
	if err := v.WaitConsole(ctx, regexp.MustCompile("resized filesystem to")); err != nil {
		t.Fatal(err)
	}
	bytes, flushes := v.Disk().Written()
	t.Logf("a first start writes %d bytes and flushes %d times", bytes, flushes)
	if bytes == 0 || flushes == 0 {
		t.Fatal("nothing was written")
	}
	return bytes
}
