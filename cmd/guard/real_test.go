//go:build linux

package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/guardlog"
	"github.com/prompt64/prompt64/cmd/guard/guardtest"
	"github.com/prompt64/prompt64/frames/framestest"
)

// theBridge is the real program under a pretended init, watched by guard.
type theBridge struct {
	*device
	traps string // the folder for the hang package
}

// newBridge builds the bridge with its traps and starts it as a workstation's, at
// the same addresses each time: a device's would look after this machine's Wi-Fi.
func newBridge(t *testing.T) *theBridge {
	t.Helper()
	if os.Getenv("PROMPT64_LONG") == "" {
		t.Skip("the real program is built and waited for: set PROMPT64_LONG=1")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "prompt64")
	if out, err := exec.Command("go", "build", "-tags", "hang", "-o", program, "../prompt64").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b := &theBridge{traps: filepath.Join(dir, "traps"), device: &device{data: filepath.Join(dir, "data")}}
	if err := os.Mkdir(b.traps, 0o700); err != nil {
		t.Fatal(err)
	}
	places := guardlog.Places{Bridge: ownAddress(6464), Pages: ownAddress(8064)}
	const path = "/user/prompt64"
	socket := socketPath(t)
	var err error
	b.init, err = guardtest.Start(socket, path, func() *exec.Cmd {
		cmd := exec.Command(program, "serve", "-data", b.data, "-listen", places.Bridge, "-web", places.Pages)
		cmd.Env = append(os.Environ(), "PROMPT64_HANG="+b.traps)
		return cmd
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.init.Close)
	newFake() // is silent
	b.m = &machine{usual: places, places: filepath.Join(dir, "none"), data: b.data, patient: dumpTime, gokrazy: gokrazy{socket: socket, path: path}}
	b.g = newGuard(b.m)
	b.g.grace = 0
	b.g.starting()
	b.eventually(t, "the bridge to start", func() bool { return b.g.look(t.Context()) == nil })
	return b
}

// ownAddress is a place that nobody else takes while the bridge is away: a port
// below those of outgoing connections, at an address of this process.
func ownAddress(port int) string {
	pid := os.Getpid()
	return fmt.Sprintf("127.%d.%d.%d:%d", 1+pid>>16&0x7f, pid>>8&0xff, 1+pid&0x7f, port+pid>>7&1)
}

// pid is the process that runs now.
func (b *theBridge) pid(t *testing.T) int {
	t.Helper()
	pid, _, err := b.m.gokrazy.status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

func (b *theBridge) trapFile(name string) string {
	return filepath.Join(b.traps, strings.ReplaceAll(name, " ", "-"))
}

// trap lets the next goroutine of a name fall into a trap.
func (b *theBridge) trap(t *testing.T, name, how string) {
	t.Helper()
	if err := os.WriteFile(b.trapFile(name), []byte(how), 0o600); err != nil {
		t.Fatal(err)
	}
}

// c64 is one that comes back by itself.
func (b *theBridge) c64(t *testing.T) *framestest.Client {
	t.Helper()
	c := framestest.New(framestest.Config{
		Dial: func(ctx context.Context) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", b.m.usual.Bridge)
		},
		Retry: 200 * time.Millisecond, Idle: time.Second, Ack: 5 * time.Second,
	})
	t.Cleanup(c.Close)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := c.Connect(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Turn(ctx, "/say before"); err != nil {
		t.Fatal(err)
	}
	return c
}

// comesBack checks that a C64 whose bridge was replaced is told so, and that it
// has a session again after a key.
func (b *theBridge) comesBack(t *testing.T, c *framestest.Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := c.WaitAttached(ctx); err == nil {
		t.Error("the C64 believes that its lease lives on")
	}
	if err := c.Connect(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Turn(ctx, "/say after"); err != nil {
		t.Error(err)
	}
	if v := c.Violations(); len(v) > 0 {
		t.Error(v)
	}
}

// What the program cannot mend from inside is mended by guard, in the real program.
func TestRealBridgeThatCannotMendItselfIsReplaced(t *testing.T) {
	for name, c := range map[string]struct {
		breaks func(b *theBridge)
		reason string
		whole  bool // it can still write its goroutines
	}{
		"a process that stands still": {func(b *theBridge) {
			b.g.answer = time.Second // nothing else ends the wait
			if err := syscall.Kill(b.pid(t), syscall.SIGSTOP); err != nil {
				t.Error(err)
			}
		}, "the bridge does not answer", false},
		"the table of leases hangs": {func(b *theBridge) {
			b.trap(t, "lease table", "hang")
			b.eventually(t, "the pages to be ill", func() bool { return b.m.Pages(t.Context()) != nil })
		}, "503", true},
		"memory": {func(b *theBridge) { b.g.memory = 1 << 20 }, "MiB of memory", true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBridge(t)
			client := b.c64(t)
			was := b.pid(t)
			c.breaks(b)
			b.fails(t)
			b.g.memory, b.g.answer = 0, answerTime
			b.eventually(t, "a new bridge", func() bool { return b.g.look(t.Context()) == nil })
			if now := b.pid(t); now == was || b.init.Starts() != 2 || b.init.Reboots() != 0 {
				t.Errorf("process %d after %d, %d starts, %d reboots", now, was, b.init.Starts(), b.init.Reboots())
			}
			log, err := guardlog.Read(b.data)
			if last, ok := log.Last(); err != nil || !ok || !strings.Contains(last.Reason, c.reason) || last.Action != guardlog.Restarted {
				t.Errorf("kept as %+v, %v", last, err)
			}
			dump, _ := os.ReadFile(filepath.Join(b.data, guardlog.DumpName))
			if c.whole && !strings.Contains(string(dump), "main.") {
				t.Errorf("the goroutines are kept as %.300q", dump)
			}
			b.comesBack(t, client)
		})
	}
}

// What the program mends by itself is no case for guard, and no C64 notices.
func TestRealBridgeThatMendsItselfIsLeftAlone(t *testing.T) {
	b := newBridge(t)
	client := b.c64(t)
	watching, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.g.watch(watching)
	}()
	b.c64(t) // has the second lease
	for _, name := range []string{"part bridge", "part pages", "lease 2"} {
		b.trap(t, name, "hang")
		b.eventually(t, name+" to hang", func() bool {
			_, err := os.Stat(b.trapFile(name))
			return os.IsNotExist(err)
		})
		b.eventually(t, "the bridge to do well after "+name, func() bool { return b.g.look(t.Context()) == nil })
	}
	stop()
	<-done
	if b.init.Starts() != 1 {
		t.Errorf("%d starts", b.init.Starts())
	}
	before := client.Stats().Connects
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := client.Turn(ctx, "/say after"); err != nil || client.Stats().Connects != before || before != 1 {
		t.Errorf("%v, %d connections", err, before)
	}
}
