package firstboot

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/gpt"
)

// complete checks that everything is as large as the card lets it.
func complete(t *testing.T, m *machine) {
	t.Helper()
	table, err := gpt.Read(m, cardSectors)
	if err != nil || !table.Whole {
		t.Fatalf("the table is not whole: %v", err)
	}
	part, err := table.Partition(4)
	if err != nil || part.First != firstSector || cardSectors-34-part.Last >= align+1 {
		t.Errorf("the partition is %+v, %v", part, err)
	}
	if m.known != part.Sectors() || m.fs.Bytes() != part.Sectors()*512 {
		t.Errorf("of %d sectors the kernel knows %d, and the file system has %d bytes", part.Sectors(), m.known, m.fs.Bytes())
	}
}

func TestFileSystemGrowsToTheCardOnce(t *testing.T) {
	m := newMachine(t)
	small := m.fs.Bytes()
	g, err := Grow(m, "/perm")
	if err != nil || !g.Changed() || g.Before != small || g.After != m.fs.Bytes() {
		t.Fatalf("%+v, %v", g, err)
	}
	complete(t, m)
	before := bytes.Clone(m.card)
	m.boot(t)
	if g, err := Grow(m, "/perm"); err != nil || g.Changed() || m.effects != 0 || !bytes.Equal(before, m.card) {
		t.Errorf("the second time it did %d things: %+v, %v", m.effects, g, err)
	}
}

// The power goes after every single side effect, a byte of a write being one.
func TestPowerCutAnywhereIsMadeGoodByTheNextStart(t *testing.T) {
	whole := newMachine(t)
	if _, err := Grow(whole, "/perm"); err != nil {
		t.Fatal(err)
	}
	if whole.effects < 2*(128*128+512) {
		t.Fatalf("it did %d things only", whole.effects)
	}
	step := func(n int) int { // the long tables' middles need not be cut at every byte
		if at := n % (128*128 + 512 + 1); at < 8 || at > 128*128-8 && at < 128*128+8 || at > 128*128+500 || whole.effects-n < 8 {
			return 1
		}
		return 251
	}
	for n := 0; n < whole.effects; n += step(n) {
		m := newMachine(t)
		m.left = n
		if _, err := Grow(m, "/perm"); !errors.Is(err, errPower) {
			t.Fatalf("cut after %d: %v", n, err)
		}
		m.boot(t)
		if m.fs.Bytes() > m.known*512 {
			t.Fatalf("cut after %d: the file system is larger than its partition", n)
		}
		if _, err := Grow(m, "/perm"); err != nil {
			t.Fatalf("after a cut after %d: %v", n, err)
		}
		complete(t, m)
	}
}

func TestKernelThatDoesNotListenIsObeyedAtTheNextStart(t *testing.T) {
	m := newMachine(t)
	m.tellErr = errors.New("device or resource busy")
	if g, err := Grow(m, "/perm"); !errors.Is(err, m.tellErr) || g.Changed() {
		t.Errorf("%+v, %v", g, err)
	}
	m.boot(t)
	if _, err := Grow(m, "/perm"); err != nil {
		t.Error(err)
	}
	complete(t, m)
}

func TestWhatIsNoCardOfOursIsLeftAlone(t *testing.T) {
	for name, change := range map[string]func(m *machine){
		"no partition":     func(m *machine) { m.noCard = true },
		"no table":         func(m *machine) { clear(m.card) },
		"something behind": func(m *machine) { occupy(t, m) },
	} {
		m := newMachine(t)
		change(m)
		before, fs := bytes.Clone(m.card), m.fs
		g, err := Grow(m, "/perm")
		if err == nil || g.Changed() || !bytes.Equal(before, m.card) || m.fs != fs {
			t.Errorf("%s: %+v, %v", name, g, err)
		}
	}
}

// occupy puts a partition behind the fourth, as an owner with a partition editor can.
func occupy(t *testing.T, m *machine) {
	t.Helper()
	le := binary.LittleEndian
	e := m.card[1024+4*128:]
	e[0], e[16] = 1, 5
	le.PutUint64(e[32:], imageSectors)
	le.PutUint64(e[40:], imageSectors+100)
	h := m.card[512 : 512+92]
	le.PutUint64(h[48:], cardSectors-34)
	le.PutUint32(h[88:], crc32.ChecksumIEEE(m.card[1024:1024+128*128]))
	le.PutUint32(h[16:], 0)
	le.PutUint32(h[16:], crc32.ChecksumIEEE(h))
	if table, err := gpt.Read(m, cardSectors); err != nil {
		t.Fatal(err)
	} else if _, err := table.Partition(5); err != nil {
		t.Fatal(err)
	}
}

type wall struct {
	now time.Time
	err error
}

func (w *wall) Now() time.Time { return w.now }
func (w *wall) Set(t time.Time) error {
	if w.err == nil {
		w.now = t
	}
	return w.err
}

func TestClockIsNeverBeforeTheBuild(t *testing.T) {
	built := time.Date(2026, 11, 30, 18, 0, 0, 0, time.UTC)
	early := &wall{now: time.Unix(12, 0)}
	if floored, err := Floor(early, built); !floored || err != nil || !early.now.Equal(built) {
		t.Errorf("%v, %v: %v", floored, err, early.now)
	}
	late := &wall{now: built.Add(time.Hour)}
	if floored, err := Floor(late, built); floored || err != nil || !late.now.Equal(built.Add(time.Hour)) {
		t.Errorf("%v, %v: %v", floored, err, late.now)
	}
	stuck := &wall{now: time.Unix(12, 0), err: errors.New("not permitted")}
	if floored, err := Floor(stuck, built); !floored || !errors.Is(err, stuck.err) {
		t.Errorf("%v, %v", floored, err)
	}
	if got := Built("v0.0.0-20261130180000-abcdefabcdef"); !got.Equal(built) {
		t.Errorf("it was built %v", got)
	}
}
