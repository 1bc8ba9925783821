package vm

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/prompt64/prompt64/image/nbd"
)

func TestMain(m *testing.M) {
	Relay()
	goleak.VerifyTestMain(m)
}

// talker is the boot sector of a disk: it prints a word on the serial port, writes
// its second sector, flushes nothing, and halts.
func talker(t *testing.T) string {
	t.Helper()
	if err := Available(PC); err != nil {
		t.Fatalf("%v; scripts/setup --tests installs it", err)
	}
	code := []byte{
		0x31, 0xc0, 0x8e, 0xd8, 0x8e, 0xc0, // xor ax,ax; mov ds,ax; mov es,ax
		0xbe, 0x80, 0x7c, // mov si, word
		0xba, 0xf8, 0x03, // mov dx, 3f8h
		0xac,       // next: lodsb
		0x84, 0xc0, // test al,al
		0x74, 0x03, // jz write
		0xee,       // out dx,al
		0xeb, 0xf8, // jmp next
		0xb8, 0x01, 0x03, // write: mov ax, 0301h
		0xbb, 0x00, 0x7c, // mov bx, 7c00h
		0xb9, 0x02, 0x00, // mov cx, 2
		0xba, 0x80, 0x00, // mov dx, 80h
		0xcd, 0x13, // int 13h
		0xf4, 0xeb, 0xfd, // halt
	}
	disk := make([]byte, 1<<20)
	copy(disk, code)
	copy(disk[0x80:], "hello from the guest\r\n\x00")
	disk[510], disk[511] = 0x55, 0xaa
	name := filepath.Join(t.TempDir(), "disk")
	if err := os.WriteFile(name, disk, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

var hello = regexp.MustCompile("hello from the guest")

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func run(t *testing.T, c Config) *VM {
	t.Helper()
	v, err := Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Stop() })
	return v
}

func wrote(t *testing.T, name string) bool {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Equal(b[512:1024], b[:512])
}

func TestMachineTalksOnItsConsoleAndEndsWhenTold(t *testing.T) {
	var copied strings.Builder
	v := run(t, Config{Machine: PC, Image: talker(t), Scratch: true, Memory: 64, Ports: []int{80, 81}, Serial: &copied})
	if err := v.WaitConsole(within(t), hello); err != nil {
		t.Fatal(err)
	}
	if v.Addr(80).Port == 0 || v.Addr(80).Port == v.Addr(81).Port || !v.Addr(80).IP.IsLoopback() {
		t.Errorf("ports %v and %v", v.Addr(80), v.Addr(81))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := v.WaitConsole(ctx, regexp.MustCompile("never")); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "hello") {
		t.Errorf("an error must show the console: %v", err)
	}
	if err := v.Stop(); err != nil {
		t.Error(err)
	}
	select {
	case <-v.Exited():
	default:
		t.Error("the machine still runs")
	}
	if !strings.Contains(copied.String(), "hello") {
		t.Error("the console was not copied")
	}
	if err := v.WaitHTTP(within(t), 80, "/"); err == nil || !strings.Contains(err.Error(), "ended") {
		t.Errorf("a machine that has ended is waited for: %v", err)
	}
}

// A BIOS knows no flush, so that each of its writes is durable at once, unless the
// power fails within.
func TestPowerFailsAtTheChosenByte(t *testing.T) {
	for name, fault := range map[string]nbd.Fault{
		"never": {After: -1, Policy: nbd.Drop}, "before the end": {After: 511, Policy: nbd.Drop}, "in the middle": {After: 100},
	} {
		t.Run(name, func(t *testing.T) {
			disk := talker(t)
			v := run(t, Config{Machine: PC, Image: disk, Memory: 64, Fault: &fault})
			if fault.After < 0 {
				err := v.Wait(within(t), func(context.Context) error {
					if n, _ := v.Disk().Written(); n < 512 {
						return errors.New("nothing was written yet")
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			} else {
				select {
				case <-v.Exited():
				case <-within(t).Done():
					t.Fatal("the machine outlives its power")
				}
			}
			if err := v.Stop(); err != nil {
				t.Fatal(err)
			}
			if got := wrote(t, disk); got != (fault.After < 0) {
				t.Errorf("the write is there: %v", got)
			}
		})
	}
}

func TestScratchDiskForgets(t *testing.T) {
	disk := talker(t)
	before, err := os.ReadFile(disk)
	if err != nil {
		t.Fatal(err)
	}
	v := run(t, Config{Machine: PC, Image: disk, Memory: 64, Scratch: true})
	if err := v.WaitConsole(within(t), hello); err != nil {
		t.Fatal(err)
	}
	if err := v.Kill(); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(disk)
	if err != nil || !slices.Equal(before, after) {
		t.Errorf("the image was changed: %v", err)
	}
}

func TestMachineThatCannotStartSaysWhy(t *testing.T) {
	_, err := Start(Config{Machine: PC, Image: filepath.Join(t.TempDir(), "none"), Memory: 64})
	if err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("%v", err)
	}
	if _, err := Start(Config{Machine: PC, Image: "none", Fault: &nbd.Fault{}}); err == nil {
		t.Error("a disk that is not there was opened")
	}
}

// Nothing of the guest's network leaves loopback, whatever the machine.
func TestNetworkIsRestrictedOnEveryMachine(t *testing.T) {
	for m := Machine(0); m < count; m++ {
		args := Config{Machine: m}.arguments("file=x", ",hostfwd=tcp:127.0.0.1:1-:80")
		i := slices.Index(args, "-netdev")
		if i < 0 || !strings.HasPrefix(args[i+1], "user,id=n0,restrict=on,hostfwd=tcp:127.0.0.1:") {
			t.Errorf("machine %d: %q", m, args)
		}
	}
}
