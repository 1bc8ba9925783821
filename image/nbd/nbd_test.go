package nbd

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const size = 64 << 10

func open(t testing.TB, f Fault) (*Disk, string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "disk")
	if err := os.WriteFile(name, make([]byte, size), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := Open(name, f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d, name
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t testing.TB, d *Disk, at int64, text string) {
	t.Helper()
	_, err := d.WriteAt([]byte(text), at)
	must(t, err)
}

func TestFlushedWritesSurviveEveryPolicy(t *testing.T) {
	for _, policy := range []Policy{Keep, Drop, Shuffle} {
		d, name := open(t, Fault{After: 20, Policy: policy, Seed: 7})
		put(t, d, 100, "durable")
		must(t, d.Sync())
		put(t, d, 200, "volatile")
		if _, err := d.WriteAt([]byte("torn in two"), 300); !errors.Is(err, ErrPower) {
			t.Fatalf("policy %d: the power did not fail: %v", policy, err)
		}
		<-d.Cut()
		if err := d.Sync(); !errors.Is(err, ErrPower) {
			t.Errorf("policy %d: a dead disk flushes: %v", policy, err)
		}
		b, err := os.ReadFile(name)
		must(t, err)
		if string(b[100:107]) != "durable" {
			t.Errorf("policy %d: what was flushed is lost", policy)
		}
		got := string(bytes.TrimRight(b[200:312], "\x00"))
		switch policy {
		case Keep:
			if got[:8] != "volatile" || string(b[300:311]) != "torn \x00\x00\x00\x00\x00\x00" {
				t.Errorf("kept %q", got)
			}
		case Drop:
			if got != "" {
				t.Errorf("kept %q of what was dropped", got)
			}
		}
	}
}

func TestOrderlyCloseLosesNothing(t *testing.T) {
	d, name := open(t, Fault{After: -1, Policy: Drop})
	put(t, d, 0, "last words")
	must(t, d.Close())
	b, err := os.ReadFile(name)
	must(t, err)
	if !bytes.HasPrefix(b, []byte("last words")) {
		t.Errorf("the file has %q", b[:16])
	}
}

// Read back is what was written last, flushed or not; and after a cut each sector
// is one of the versions that were written since the flush, or the flushed one.
func TestDiskIsAModelOfACardWithACache(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		const sectors = 16
		d, name := open(t, Fault{After: -1, Policy: Shuffle, Seed: rapid.Uint64().Draw(r, "seed")})
		now, allowed := make([]byte, sectors), make([]map[byte]bool, sectors)
		for i := range allowed {
			allowed[i] = map[byte]bool{0: true}
		}
		for step := range rapid.IntRange(1, 40).Draw(r, "steps") {
			if rapid.IntRange(0, 5).Draw(r, "flush") == 0 {
				if err := d.Sync(); err != nil {
					r.Fatal(err)
				}
				for i := range allowed {
					allowed[i] = map[byte]bool{now[i]: true}
				}
				continue
			}
			from := rapid.IntRange(0, sectors-1).Draw(r, "from")
			n := rapid.IntRange(1, sectors-from).Draw(r, "n")
			if _, err := d.WriteAt(bytes.Repeat([]byte{byte(step + 1)}, n*sector), int64(from*sector)); err != nil {
				r.Fatal(err)
			}
			for i := from; i < from+n; i++ {
				now[i] = byte(step + 1)
				allowed[i][now[i]] = true
			}
		}
		got := make([]byte, sectors*sector)
		if _, err := d.ReadAt(got, 0); err != nil {
			r.Fatal(err)
		}
		check := func(b []byte, ok func(i int, c byte) bool) {
			for i := range sectors {
				s := b[i*sector : (i+1)*sector]
				if !bytes.Equal(s, bytes.Repeat(s[:1], sector)) || !ok(i, s[0]) {
					r.Fatalf("sector %d has %d", i, s[0])
				}
			}
		}
		check(got, func(i int, c byte) bool { return c == now[i] })
		if err := d.Fail(); err != nil {
			r.Fatal(err)
		}
		b, err := os.ReadFile(name)
		if err != nil {
			r.Fatal(err)
		}
		check(b, func(i int, c byte) bool { return allowed[i][c] })
	})
}

// client is the other side of the protocol, byte by byte.
type client struct {
	net.Conn
	t testing.TB
}

func dial(t testing.TB, socket string) client {
	t.Helper()
	c, err := net.Dial("unix", socket)
	must(t, err)
	t.Cleanup(func() { c.Close() })
	must(t, c.SetDeadline(time.Now().Add(time.Minute)))
	k := client{c, t}
	if hello := k.take(18); be.Uint64(hello) != magicHello || be.Uint64(hello[8:]) != magicOption {
		t.Fatalf("hello % x", hello)
	}
	k.send(be.AppendUint32(nil, handshakeFixed|handshakeNoZero))
	return k
}

func (k client) take(n int) []byte {
	k.t.Helper()
	b := make([]byte, n)
	_, err := io.ReadFull(k, b)
	must(k.t, err)
	return b
}

func (k client) send(b []byte) {
	k.t.Helper()
	_, err := k.Write(b)
	must(k.t, err)
}

func (k client) option(n uint32, data string) {
	k.t.Helper()
	b := be.AppendUint32(be.AppendUint64(nil, magicOption), n)
	k.send(append(be.AppendUint32(b, uint32(len(data))), data...))
}

func (k client) answer() (kind uint32, data []byte) {
	k.t.Helper()
	head := k.take(20)
	return be.Uint32(head[12:]), k.take(int(be.Uint32(head[16:])))
}

func (k client) ask(flags, kind uint16, at uint64, length uint32, payload string) {
	k.t.Helper()
	b := be.AppendUint32(nil, magicAsk)
	b = be.AppendUint16(be.AppendUint16(b, flags), kind)
	b = be.AppendUint64(be.AppendUint64(b, 99), at)
	k.send(append(be.AppendUint32(b, length), payload...))
}

func (k client) status() uint32 {
	k.t.Helper()
	b := k.take(16)
	if be.Uint32(b) != magicAnswer || be.Uint64(b[8:]) != 99 {
		k.t.Fatalf("answer % x", b)
	}
	return be.Uint32(b[4:])
}

func serve(t testing.TB, d *Disk) string {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "s")
	s, err := Serve(d, socket)
	must(t, err)
	t.Cleanup(s.Close)
	return socket
}

func TestClientReadsWritesAndFlushes(t *testing.T) {
	d, name := open(t, Fault{After: -1})
	k := dial(t, serve(t, d))
	k.option(8, "") // structured replies: not here
	if kind, _ := k.answer(); kind != repUnknown {
		t.Errorf("an unknown option is answered with %#x", kind)
	}
	k.option(optGo, "\x00\x00\x00\x00\x00\x00")
	kind, info := k.answer()
	if kind != repInfo || be.Uint64(info[2:]) != size || be.Uint16(info[10:])&flagSendFlush == 0 {
		t.Errorf("info %d % x", kind, info)
	}
	if kind, _ := k.answer(); kind != repAck {
		t.Errorf("no acknowledgement but %d", kind)
	}
	k.ask(0, cmdWrite, 1000, 5, "hello")
	if e := k.status(); e != 0 {
		t.Errorf("write: error %d", e)
	}
	if b, _ := os.ReadFile(name); b[1000] != 0 {
		t.Error("what was not flushed is durable")
	}
	k.ask(0, cmdFlush, 0, 0, "")
	if e := k.status(); e != 0 {
		t.Errorf("flush: error %d", e)
	}
	k.ask(cmdFlagFUA, cmdWrite, 2000, 3, "FUA")
	k.status()
	b, err := os.ReadFile(name)
	must(t, err)
	if string(b[1000:1005]) != "hello" || string(b[2000:2003]) != "FUA" {
		t.Error("what was flushed is not durable")
	}
	k.ask(0, cmdRead, 1000, 5, "")
	if e := k.status(); e != 0 || string(k.take(5)) != "hello" {
		t.Errorf("read: error %d", e)
	}
	k.ask(0, cmdRead, size, 5, "")
	if k.status() == 0 {
		t.Error("a read outside the disk is no error")
	}
	k.ask(0, 77, 0, 0, "")
	if k.status() != errInval {
		t.Error("an unknown request is no error")
	}
	k.ask(0, cmdDisc, 0, 0, "")
}

func TestNothingIsAnsweredAfterThePowerFailed(t *testing.T) {
	d, name := open(t, Fault{After: 3})
	k := dial(t, serve(t, d))
	k.option(optExportName, "")
	k.take(10)
	k.ask(0, cmdWrite, 0, 5, "hello")
	if n, err := k.Read(make([]byte, 1)); err == nil {
		t.Errorf("the dead disk sent %d bytes", n)
	}
	b, err := os.ReadFile(name)
	must(t, err)
	if string(b[:5]) != "hel\x00\x00" {
		t.Errorf("the file has %q", b[:5])
	}
}

func TestHostileClientIsHungUp(t *testing.T) {
	d, _ := open(t, Fault{After: -1})
	socket := serve(t, d)
	for name, send := range map[string]func(k client){
		"huge option":  func(k client) { k.send(append(be.AppendUint64(nil, magicOption), 0, 0, 0, 7, 0xff, 0xff, 0xff, 0xff)) },
		"wrong magic":  func(k client) { k.send(make([]byte, 16)) },
		"huge request": func(k client) { k.option(optExportName, ""); k.take(10); k.ask(0, cmdWrite, 0, 1<<31, "") },
	} {
		k := dial(t, socket)
		send(k)
		if _, err := k.Read(make([]byte, 1)); err == nil {
			t.Errorf("%s was answered", name)
		}
	}
}
