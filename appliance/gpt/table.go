package gpt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// The layout's numbers.
const (
	SectorSize  = 512
	entryCount  = 128
	entrySize   = 128
	tableBytes  = entryCount * entrySize
	tableSize   = tableBytes / SectorSize // sectors
	headerBytes = 92
	// Reserved is how many sectors the second copy takes at the disk's end.
	Reserved = tableSize + 1
)

var le = binary.LittleEndian

// ErrNoTable says that neither copy of a table is whole.
var ErrNoTable = errors.New("no whole GUID partition table")

// Partition is one entry. Its sectors are First to Last, both of them included.
type Partition struct {
	Type, ID    GUID
	First, Last uint64
}

// Sectors is the partition's size.
func (p Partition) Sectors() uint64 { return p.Last - p.First + 1 }

// Offset is where the partition begins, in bytes.
func (p Partition) Offset() int64 { return int64(p.First) * SectorSize }

// Bytes is the partition's size.
func (p Partition) Bytes() int64 { return int64(p.Sectors()) * SectorSize }

// Table is a partition table in memory.
type Table struct {
	// Disk is the disk's own identifier.
	Disk GUID
	// Sectors is the size of the disk that the table was read from.
	Sectors uint64
	// Whole says that both copies are whole, equal, and the second one lies at
	// the disk's end. Write makes it so.
	Whole bool

	header  [headerBytes]byte
	entries [tableBytes]byte
}

// Read reads the table of a disk with this many sectors: the first copy, or the
// second if the first is damaged.
func Read(d io.ReaderAt, sectors uint64) (*Table, error) {
	if sectors < 2*Reserved+2 {
		return nil, fmt.Errorf("read partition table: %d sectors are too few: %w", sectors, ErrNoTable)
	}
	first, err1 := readCopy(d, 1, sectors)
	if err1 != nil {
		second, err2 := readCopy(d, sectors-1, sectors)
		if err2 != nil {
			return nil, fmt.Errorf("read partition table: %w (first copy: %w; second: %w)", ErrNoTable, err1, err2)
		}
		return second, nil
	}
	second, err := readCopy(d, sectors-1, sectors)
	first.Whole = err == nil && first.entries == second.entries && le.Uint64(first.header[32:]) == sectors-1
	return first, nil
}

// readCopy reads one copy, whose header is at the sector lba.
func readCopy(d io.ReaderAt, lba, sectors uint64) (*Table, error) {
	t := &Table{Sectors: sectors}
	if _, err := d.ReadAt(t.header[:], int64(lba)*SectorSize); err != nil {
		return nil, err
	}
	h := t.header
	if string(h[:8]) != "EFI PART" || le.Uint32(h[12:]) != headerBytes {
		return nil, errors.New("no header")
	}
	le.PutUint32(h[16:], 0)
	if crc32.ChecksumIEEE(h[:]) != le.Uint32(t.header[16:]) {
		return nil, errors.New("header's checksum is wrong")
	}
	if le.Uint64(h[24:]) != lba || le.Uint32(h[80:]) != entryCount || le.Uint32(h[84:]) != entrySize {
		return nil, errors.New("header is of another layout")
	}
	at := le.Uint64(h[72:])
	if at < 2 || at > sectors-tableSize {
		return nil, errors.New("entries lie outside the disk")
	}
	if _, err := d.ReadAt(t.entries[:], int64(at)*SectorSize); err != nil {
		return nil, err
	}
	if crc32.ChecksumIEEE(t.entries[:]) != le.Uint32(h[88:]) {
		return nil, errors.New("entries' checksum is wrong")
	}
	copy(t.Disk[:], h[56:])
	return t, nil
}

// Partition returns the entry with this number, from 1.
func (t *Table) Partition(n int) (Partition, error) {
	e, err := t.entry(n)
	if err != nil {
		return Partition{}, err
	}
	var p Partition
	copy(p.Type[:], e[0:])
	copy(p.ID[:], e[16:])
	p.First, p.Last = le.Uint64(e[32:]), le.Uint64(e[40:])
	if p.Type.IsZero() || p.First > p.Last || p.Last >= t.Sectors {
		return Partition{}, fmt.Errorf("partition %d: there is none, or it lies outside the disk", n)
	}
	return p, nil
}

func (t *Table) entry(n int) ([]byte, error) {
	if n < 1 || n > entryCount {
		return nil, fmt.Errorf("partition %d: the numbers are 1 to %d", n, entryCount)
	}
	return t.entries[(n-1)*entrySize : n*entrySize], nil
}

// SetType changes what kind of partition it is, in memory.
func (t *Table) SetType(n int, kind GUID) error {
	if _, err := t.Partition(n); err != nil {
		return err
	}
	e, _ := t.entry(n)
	copy(e, kind[:])
	return nil
}

// LastUsable is the last sector that a partition may have on this disk.
func (t *Table) LastUsable() uint64 { return t.Sectors - Reserved - 1 }

// Resize sets the last sector of a partition, in memory. It refuses what would
// overlap another one or leave the disk.
func (t *Table) Resize(n int, last uint64) error {
	p, err := t.Partition(n)
	if err != nil {
		return err
	}
	if last < p.First || last > t.LastUsable() {
		return fmt.Errorf("resize partition %d: sector %d is not in %d to %d", n, last, p.First, t.LastUsable())
	}
	for other := 1; other <= entryCount; other++ {
		q, err := t.Partition(other)
		if err == nil && other != n && q.First <= last && q.Last >= p.First {
			return fmt.Errorf("resize partition %d: it would overlap partition %d", n, other)
		}
	}
	e, _ := t.entry(n)
	le.PutUint64(e[40:], last)
	return nil
}
