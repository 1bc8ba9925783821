package gpt

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

// disk is a card in memory that may lose its power.
type disk struct {
	data   []byte
	budget int // bytes that may still be written; negative: any number
	syncs  int
}

var errPower = errors.New("the power is gone")

func (d *disk) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(d.data).ReadAt(p, off)
}

func (d *disk) WriteAt(p []byte, off int64) (int, error) {
	if d.budget < 0 {
		return copy(d.data[off:], p), nil
	}
	n := min(d.budget, len(p))
	copy(d.data[off:], p[:n])
	d.budget -= n
	if n < len(p) {
		return n, errPower
	}
	return n, nil
}

func (d *disk) Sync() error {
	d.syncs++
	if d.budget == 0 {
		return errPower
	}
	return nil
}

func (d *disk) sectors() uint64 { return uint64(len(d.data) / SectorSize) }

// card makes a disk whose table has two partitions, 34-99 and 100-199.
func card(t testing.TB, sectors int) *disk {
	t.Helper()
	d := &disk{data: make([]byte, sectors*SectorSize), budget: -1}
	table := &Table{Sectors: uint64(sectors)}
	copy(table.header[:], "EFI PART\x00\x00\x01\x00\x5c\x00\x00\x00")
	copy(table.header[56:], "the disk's own id")
	le.PutUint64(table.header[40:], 34)
	le.PutUint32(table.header[80:], entryCount)
	le.PutUint32(table.header[84:], entrySize)
	for i, p := range []Partition{{EFISystem, GUID{1}, 34, 99}, {BasicData, GUID{2}, 100, 199}} {
		e, err := table.entry(i + 1)
		if err != nil {
			t.Fatal(err)
		}
		copy(e, p.Type[:])
		copy(e[16:], p.ID[:])
		le.PutUint64(e[32:], p.First)
		le.PutUint64(e[40:], p.Last)
	}
	if err := table.Write(d); err != nil {
		t.Fatal(err)
	}
	return d
}

func read(t testing.TB, d *disk) *Table {
	t.Helper()
	table, err := Read(d, d.sectors())
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func last(t testing.TB, table *Table) uint64 {
	t.Helper()
	p, err := table.Partition(2)
	if err != nil {
		t.Fatal(err)
	}
	return p.Last
}

func TestLastPartitionGrowsToALargerCard(t *testing.T) {
	d := card(t, 400)
	d.data = append(d.data, make([]byte, 600*SectorSize)...)
	table := read(t, d)
	if table.Whole {
		t.Error("the second copy lies in the middle of the disk, and the table is said to be whole")
	}
	if err := table.Resize(2, table.LastUsable()); err != nil {
		t.Fatal(err)
	}
	if err := table.Write(d); err != nil {
		t.Fatal(err)
	}
	after := read(t, d)
	if got := last(t, after); got != 1000-34 || !after.Whole {
		t.Errorf("last sector %d, whole %v", got, after.Whole)
	}
	p, _ := after.Partition(2)
	if p.Offset() != 100*512 || p.Bytes() != int64(p.Sectors())*512 || p.ID != (GUID{2}) {
		t.Errorf("partition %+v", p)
	}
}

// At whatever byte the power goes, what is read next is the old table or the new
// one, and doing it again completes it.
func TestPowerCutAtAnyByteLeavesOneWholeTable(t *testing.T) {
	whole := 2 * (tableBytes + SectorSize)
	for cut := 0; cut < whole; cut += 61 {
		d := card(t, 400)
		d.data = append(d.data, make([]byte, 100*SectorSize)...)
		table := read(t, d)
		if err := table.Resize(2, table.LastUsable()); err != nil {
			t.Fatal(err)
		}
		d.budget = cut
		if err := table.Write(d); !errors.Is(err, errPower) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		d.budget = -1
		again := read(t, d)
		if got := last(t, again); got != 199 && got != table.LastUsable() {
			t.Fatalf("cut at %d: last sector %d", cut, got)
		}
		if err := again.Resize(2, again.LastUsable()); err != nil {
			t.Fatal(err)
		}
		if err := again.Write(d); err != nil {
			t.Fatal(err)
		}
		if done := read(t, d); !done.Whole || last(t, done) != table.LastUsable() {
			t.Fatalf("cut at %d: not completed", cut)
		}
	}
}

func TestDamagedFirstCopyIsReadFromTheEnd(t *testing.T) {
	d := card(t, 400)
	d.data[2*SectorSize+33]++
	table := read(t, d)
	if table.Whole || last(t, table) != 199 {
		t.Errorf("whole %v, last sector %d", table.Whole, last(t, table))
	}
	d.data[398*SectorSize]++
	if _, err := Read(d, d.sectors()); !errors.Is(err, ErrNoTable) {
		t.Errorf("both copies are damaged: %v", err)
	}
}

func TestResizeRefusesWhatDoesNotFit(t *testing.T) {
	table := read(t, card(t, 400))
	for n, to := range map[int]uint64{1: 100, 2: table.LastUsable() + 1, 3: 300, 0: 1, 129: 1} {
		if err := table.Resize(n, to); err == nil {
			t.Errorf("partition %d to sector %d was allowed", n, to)
		}
	}
	if err := table.Resize(2, 99); err == nil {
		t.Error("a partition may end before it begins")
	}
}

func TestTypeChangesInBothCopies(t *testing.T) {
	d := card(t, 400)
	table := read(t, d)
	if err := table.SetType(1, BasicData); err != nil {
		t.Fatal(err)
	}
	if err := table.SetType(9, BasicData); err == nil {
		t.Error("a partition that is not there has a type now")
	}
	if err := table.Write(d); err != nil {
		t.Fatal(err)
	}
	d.data[512]++ // what is left is the second copy
	if p, err := read(t, d).Partition(1); err != nil || p.Type != BasicData {
		t.Errorf("%+v, %v", p, err)
	}
}

// Whatever the sectors hold, reading ends with a table or an error; checksums are
// made to fit, so that the fields behind them are reached.
func TestReadEndsOnAnyBytes(t *testing.T) {
	clean := card(t, 100)
	rapid.Check(t, func(r *rapid.T) {
		d := &disk{data: bytes.Clone(clean.data), budget: -1}
		for range rapid.IntRange(1, 6).Draw(r, "changes") {
			at := rapid.IntRange(512, 4096).Draw(r, "at")
			d.data[at] = rapid.Byte().Draw(r, "byte")
		}
		h := d.data[512 : 512+headerBytes]
		le.PutUint32(h[88:], crc32.ChecksumIEEE(d.data[1024:1024+tableBytes]))
		le.PutUint32(h[16:], 0)
		le.PutUint32(h[16:], crc32.ChecksumIEEE(h))
		table, err := Read(d, d.sectors())
		if err != nil {
			return
		}
		for n := range entryCount + 2 {
			if p, err := table.Partition(n); err == nil && (p.Sectors() == 0 || p.Last >= table.Sectors) {
				r.Fatalf("partition %d: %+v", n, p)
			}
			_ = table.Resize(n, rapid.Uint64().Draw(r, "last"))
		}
	})
}

func TestGUIDKeepsItsText(t *testing.T) {
	for text, want := range map[string]GUID{
		"ebd0a0a2-b9e5-4433-87c0-68b6b72699c7": BasicData,
		"c12a7328-f81f-11d2-ba4b-00a0c93ec93b": EFISystem,
	} {
		got, err := Parse(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, bad := range []string{"", "ebd0a0a2b9e5443387c068b6b72699c7", "ebd0a0a2-b9e5-4433-87c0-68b6b72699cx", "ebd0a0a-2b9e5-4433-87c0-68b6b72699c7"} {
		if _, err := Parse(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// sgdisk is the second opinion, where it is installed.
func TestOtherToolsFindNoFault(t *testing.T) {
	sgdisk, err := exec.LookPath("sgdisk")
	if err != nil {
		t.Skip("there is no sgdisk (Debian's package gdisk) to compare with")
	}
	name := filepath.Join(t.TempDir(), "disk")
	if err := os.WriteFile(name, make([]byte, 2<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(sgdisk, "-a", "1", "-n", "1:34:99", "-n", "2:100:1000", name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(3 << 20); err != nil {
		t.Fatal(err)
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		t.Fatal(err)
	}
	table, err := Read(f, uint64(size/SectorSize))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(table.SetType(1, BasicData), table.Resize(2, table.LastUsable()), table.Write(f)); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(sgdisk, "-v", name).CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("No problems found")) {
		t.Errorf("%v\n%s", err, out)
	}
}
