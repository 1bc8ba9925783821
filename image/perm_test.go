package image

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/gpt"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
	"github.com/prompt64/prompt64/image/fat"
	"github.com/prompt64/prompt64/image/nbd"
	"github.com/prompt64/prompt64/image/vm"
)

// block is ext4's, as the image is formatted.
const block = 4096

// destroy overwrites blocks of /perm, with zeros or with anything.
func destroy(t *testing.T, card string, random *rand.Rand, blocks ...int64) {
	t.Helper()
	onCard(t, card, 4, func(f *os.File, p gpt.Partition) {
		for _, n := range blocks {
			b := make([]byte, block)
			if random != nil {
				for i := range b {
					b[i] = byte(random.Uint32())
				}
			}
			if _, err := f.WriteAt(b, p.Offset()+n*block); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// visitorIsNotLetIn checks what somebody finds who has neither password nor code.
func visitorIsNotLetIn(t *testing.T, ctx context.Context, v *vm.VM) {
	t.Helper()
	b := browse(t, v)
	for _, path := range []string{"/welcome", "/setup", "/setup/pairing", "/erase"} {
		if _, where := b.at(ctx, path); where != "/" && where != "/signin" {
			t.Errorf("a visitor of %s gets to %s", path, where)
		}
	}
}

// connect tries to drive the device until it is let in or refused.
func connect(t *testing.T, ctx context.Context, v *vm.VM) (refused *framestest.Refused) {
	t.Helper()
	c := framestest.New(framestest.Config{Dial: func(ctx context.Context) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", v.Addr(bridgePort).String())
	}})
	defer c.Close()
	err := v.Wait(ctx, func(ctx context.Context) error {
		err := c.Connect(ctx)
		if errors.As(err, &refused) {
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return refused
}

// says reports whether a page tells that /perm is damaged.
func says(text string) bool { return strings.Contains(text, "data partition (/perm) is damaged") }

// resetShort is what FAT calls the file prompt64-reset.
const resetShort = "PROMPT~1"

// A device whose /perm cannot be mounted starts, says so, lets nobody in, and begins
// anew when its owner puts a file on the boot partition.
func TestDeviceWhoseSuperblockIsLostSaysSoAndBeginsAnewAtItsOwnersWish(t *testing.T) {
	card := pc.ownedCard(t)
	destroy(t, card, nil, 0)
	v := pc.start(t, card)
	ctx := within(t, 2*patience)
	page, where := browse(t, v).at(ctx, "/")
	if where != "/" || !says(page) || !strings.Contains(page, "SETTINGS LOST") || !strings.Contains(page, "prompt64-reset") {
		t.Errorf("Home leads to %s and does not say what is wrong:\n%s", where, page)
	}
	visitorIsNotLetIn(t, ctx, v)
	if refused := connect(t, ctx, v); refused == nil || refused.Text != frames.ErrorNotPaired {
		t.Errorf("a visitor's C64 gets %v", refused)
	}
	if err := v.Stop(); err != nil {
		t.Fatal(err)
	}
	askForReset(t, card)
	v = pc.start(t, card)
	beginsAnew(t, ctx, v)
	if err := v.Stop(); err != nil {
		t.Fatal(err)
	}
	isWhole(t, card)
}

// askForReset puts the owner's file onto the boot partition.
func askForReset(t *testing.T, card string) {
	t.Helper()
	onCard(t, card, 1, func(f *os.File, p gpt.Partition) {
		volume, err := fat.Open(f, p.Offset())
		if err == nil {
			err = volume.Add("prompt64-reset", nil, time.Now())
		}
		if err == nil {
			_, err = volume.Read(resetShort)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

// A card that takes minutes for the new file system is waited for, by a guard that would
// otherwise end the bridge after a good minute, in the middle.
func TestPermOfASlowCardIsMadeAnewInOneGo(t *testing.T) {
	onlyLong(t)
	card := copyImage(t, image(t, pc.board))
	destroy(t, card, nil, 0)
	askForReset(t, card)
	// 36 MB are written: a journal's zeros, and little else.
	const rate, atLeast = 180_000, 3 * time.Minute
	start := time.Now()
	v := boot(t, vm.Config{Machine: pc.machine, Image: card, Ports: []int{pagesPort, bridgePort}, Fault: &nbd.Fault{After: -1}, WriteRate: rate})
	ctx := within(t, 4*patience)
	if err := v.WaitConsole(ctx, regexp.MustCompile(`(?s)Linux version \d.*Linux version \d`)); err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	t.Logf("the file system is there after %.0f s", took.Seconds())
	if took < atLeast {
		t.Errorf("that was not slow: %v", took)
	}
	if err := v.Stop(); err != nil {
		t.Fatal(err)
	}
	onCard(t, card, 1, func(f *os.File, p gpt.Partition) {
		volume, err := fat.Open(f, p.Offset())
		var text []byte
		if err == nil {
			text, err = volume.Read(resetShort)
		}
		if err != nil || !strings.Contains(string(text), "Tries: 1\r") {
			t.Errorf("it was not done at the first try: %q, %v", text, err)
		}
	})
	v = pc.start(t, card)
	beginsAnew(t, ctx, v)
	if err := v.Stop(); err != nil {
		t.Fatal(err)
	}
	isWhole(t, card)
}

// beginsAnew waits until a device that makes its /perm anew opens Set-up, and sets it
// up.
func beginsAnew(t *testing.T, ctx context.Context, v *vm.VM) {
	t.Helper()
	start := time.Now()
	b := browse(t, v)
	b.await(ctx, "/welcome", func(_, where string) bool { return where == "/welcome" })
	t.Logf("Set-up is open again after %.0f s", time.Since(start).Seconds())
	b.enter(ctx)
	if page := b.await(ctx, "/", func(_, where string) bool { return where == "/" }); says(page) {
		t.Errorf("it still says:\n%s", page)
	}
}

// isWhole lets another program check the new file system, and finds the boot partition
// without the file that asked for it.
func isWhole(t *testing.T, card string) {
	t.Helper()
	onCard(t, card, 1, func(f *os.File, p gpt.Partition) {
		volume, err := fat.Open(f, p.Offset())
		if err == nil {
			_, err = volume.Read(resetShort)
		}
		if err == nil {
			t.Error("prompt64-reset is still on the boot partition")
		}
	})
	if out, err := exec.Command("/sbin/e2fsck", "-fn", permOf(t, card)).CombinedOutput(); err != nil {
		t.Errorf("e2fsck: %v\n%s", err, out)
	}
}

// bitmaps are the blocks that tell what is free of the first group, as its descriptor
// in the second block has it.
func bitmaps(t *testing.T, card string) (blocks []int64) {
	t.Helper()
	onCard(t, card, 4, func(f *os.File, p gpt.Partition) {
		b := make([]byte, 8)
		if _, err := f.ReadAt(b, p.Offset()+block); err != nil {
			t.Fatal(err)
		}
		blocks = []int64{int64(binary.LittleEndian.Uint32(b)), int64(binary.LittleEndian.Uint32(b[4:]))}
	})
	return blocks
}

// Damage that the kernel comes upon while /perm is in use is told, and the owner who
// can still sign in has the device begin anew from its pages.
func TestDeviceWithErrorsInItsPermTellsItsOwnerWhoErasesIt(t *testing.T) { erasedByItsOwner(t, pc) }

func TestCardsOwnKernelWithErrorsInPermLetsItsOwnerEraseIt(t *testing.T) {
	onlyLong(t)
	erasedByItsOwner(t, pi)
}

func erasedByItsOwner(t *testing.T, on *bench) {
	t.Helper()
	card := on.ownedCard(t)
	destroy(t, card, rand.New(rand.NewPCG(64, 0)), bitmaps(t, card)...)
	v := on.start(t, card)
	ctx := within(t, 2*patience)
	b := browse(t, v)
	if _, where := b.at(ctx, "/"); where != "/signin" {
		t.Fatalf("Home leads to %s", where)
	}
	visitorIsNotLetIn(t, ctx, v)
	b.enter(ctx)
	page := b.await(ctx, "/", func(text, where string) bool { return where == "/" && says(text) })
	if !strings.Contains(page, `href="/erase"`) {
		t.Errorf("Home does not lead to the way out:\n%s", page)
	}
	b.erase(ctx)
	beginsAnew(t, ctx, v)
	if err := v.Stop(); err != nil {
		t.Fatal(err)
	}
	isWhole(t, card)
}

// erase has the device's owner erase /perm. The device may be gone before its answer is
// here, and the owner asks again until it is, or begins anew.
func (b *browser) erase(ctx context.Context) {
	b.t.Helper()
	err := b.v.Wait(ctx, func(context.Context) error {
		text, _, err := b.send("/erase", url.Values{"password": {ownersPassword}})
		if err == nil && strings.Contains(text, "being made anew") {
			return nil
		}
		if _, where, err := b.read("/"); err == nil && where == "/welcome" {
			return nil
		}
		return errors.Join(errors.New("it is not made anew"), err)
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// used are the blocks of /perm that are not empty.
func used(t *testing.T, card string) (blocks []int64) {
	t.Helper()
	onCard(t, card, 4, func(f *os.File, p gpt.Partition) {
		for e := range extents(t, f, p.Offset(), p.Offset()+p.Bytes()) {
			for n := (e[0] - p.Offset()) / block; n < (e[1]-p.Offset())/block; n++ {
				blocks = append(blocks, n)
			}
		}
	})
	return blocks
}

// Whatever is destroyed of /perm, the device starts, and either works or says what is
// wrong; it never opens Set-up to a visitor.
func TestDeviceWithDestroyedBlocksInItsPermStartsAndStaysItsOwners(t *testing.T) {
	seeds := 1
	if long {
		seeds = 12
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			card := pc.ownedCard(t)
			random := rand.New(rand.NewPCG(uint64(seed), 0))
			blocks := used(t, card)
			random.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
			part := []int{2, 8, 32}[seed%3] // from half of all to little
			content := random
			if seed%2 == 1 {
				content = nil // as a card that has lost them reads
			}
			destroy(t, card, content, blocks[:len(blocks)/part]...)
			t.Logf("%d of %d blocks are destroyed", len(blocks)/part, len(blocks))
			startsAndStaysItsOwners(t, card)
		})
	}
}

func startsAndStaysItsOwners(t *testing.T, card string) {
	t.Helper()
	v := pc.start(t, card)
	ctx := within(t, patience)
	if err := v.WaitHTTP(ctx, pagesPort, "/"); err != nil {
		t.Fatal(err)
	}
	visitorIsNotLetIn(t, ctx, v)
	page, where := browse(t, v).at(ctx, "/")
	// Where the settings are whole they let this computer in.
	switch refused := connect(t, ctx, v); {
	case where == "/signin" && refused == nil:
		t.Log("it works")
	case where == "/" && refused != nil && (says(page) || strings.Contains(page, "SETTINGS LOST")):
		t.Log("it is closed, and says why")
	default:
		t.Errorf("a C64 gets %v, and %s says:\n%s", refused, where, page)
	}
}
