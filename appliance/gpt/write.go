package gpt

import (
	"fmt"
	"hash/crc32"
	"io"
)

// Disk is what a table is written to; an *os.File is one.
type Disk interface {
	io.WriterAt
	Sync() error
}

// Write writes both copies for a disk of t.Sectors sectors, the one at the end
// first, and syncs each before it goes on.
func (t *Table) Write(d Disk) error {
	end := t.Sectors - 1
	if err := t.writeCopy(d, end, 1, end-tableSize); err != nil {
		return fmt.Errorf("write partition table at the end: %w", err)
	}
	if err := t.writeCopy(d, 1, end, 2); err != nil {
		return fmt.Errorf("write partition table: %w", err)
	}
	t.Whole = true
	return nil
}

// writeCopy writes the copy whose header is at sector current.
func (t *Table) writeCopy(d Disk, current, alternate, entries uint64) error {
	h := t.header
	le.PutUint64(h[24:], current)
	le.PutUint64(h[32:], alternate)
	le.PutUint64(h[48:], t.LastUsable())
	le.PutUint64(h[72:], entries)
	le.PutUint32(h[88:], crc32.ChecksumIEEE(t.entries[:]))
	le.PutUint32(h[16:], 0)
	le.PutUint32(h[16:], crc32.ChecksumIEEE(h[:]))
	sector := make([]byte, SectorSize)
	copy(sector, h[:])
	if _, err := d.WriteAt(t.entries[:], int64(entries)*SectorSize); err != nil {
		return err
	}
	if _, err := d.WriteAt(sector, int64(current)*SectorSize); err != nil {
		return err
	}
	return d.Sync()
}
