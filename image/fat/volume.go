package fat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// The numbers of the layout that gokrazy's writer has.
const (
	sectorSize  = 512
	entrySize   = 32
	endOfChain  = 0xffff
	minClusters = 4085 // fewer would be FAT12
	maxClusters = 65524
	// rootEntries is what an extended root folder has room for.
	rootEntries = 512
)

const (
	attrLongName  = 0x0f
	attrVolume    = 0x08
	attrDirectory = 0x10
	attrArchive   = 0x20
	deleted       = 0xe5
)

var le = binary.LittleEndian

// Disk is where a volume lies; an *os.File is one.
type Disk interface {
	io.ReaderAt
	io.WriterAt
}

// Volume is a file system on a disk.
type Volume struct {
	disk Disk
	base int64 // bytes
	boot [sectorSize]byte
	geometry
}

// geometry is in sectors, but for root.
type geometry struct {
	perCluster, reserved, table, total int64
	root                               int64 // entries
}

func (g geometry) rootStart() int64 { return g.reserved + g.table }
func (g geometry) dataStart() int64 { return g.rootStart() + g.root*entrySize/sectorSize }
func (g geometry) clusters() int64  { return (g.total - g.dataStart()) / g.perCluster }

// Open reads the volume that begins at this byte of the disk.
func Open(d Disk, base int64) (*Volume, error) {
	v := &Volume{disk: d, base: base}
	if _, err := d.ReadAt(v.boot[:], base); err != nil {
		return nil, fmt.Errorf("open FAT: %w", err)
	}
	b := v.boot
	v.geometry = geometry{
		perCluster: int64(b[13]), reserved: int64(le.Uint16(b[14:])), table: int64(le.Uint16(b[22:])),
		root: int64(le.Uint16(b[17:])), total: int64(le.Uint16(b[19:])),
	}
	if v.total == 0 {
		v.total = int64(le.Uint32(b[32:]))
	}
	switch {
	case b[510] != 0x55 || b[511] != 0xaa:
		return nil, errors.New("open FAT: no boot sector")
	case le.Uint16(b[11:]) != sectorSize || b[16] != 1 || v.perCluster == 0 || v.root%16 != 0:
		return nil, errors.New("open FAT: its layout is not gokrazy's")
	case v.clusters() < minClusters || v.clusters() > maxClusters || (v.clusters()+2)*2 > v.table*sectorSize:
		return nil, errors.New("open FAT: it is not FAT16, or its table is too small")
	}
	return v, nil
}

// Free is how many bytes files may still take.
func (v *Volume) Free() (int64, error) {
	table, err := v.readTable()
	if err != nil {
		return 0, err
	}
	var free int64
	for _, next := range table[2 : 2+v.clusters()] {
		if next == 0 {
			free++
		}
	}
	return free * v.perCluster * sectorSize, nil
}

// Sector returns the disk sector, counted from the disk's begin, where a file of
// the root folder starts; its name is the short one, such as "VMLINUZ".
func (v *Volume) Sector(short string) (int64, error) {
	e, err := v.find(short)
	if err != nil {
		return 0, err
	}
	return v.base/sectorSize + v.start(e), nil
}

// Read returns the content of a file of the root folder. Like gokrazy it takes a
// file to be in one piece.
func (v *Volume) Read(short string) ([]byte, error) {
	e, err := v.find(short)
	if err != nil {
		return nil, err
	}
	size := int64(le.Uint32(e[28:]))
	data, err := v.read(v.start(e), (size+sectorSize-1)/sectorSize)
	if err != nil {
		return nil, fmt.Errorf("read %s from FAT: %w", short, err)
	}
	return data[:size], nil
}

// find returns a file's entry in the root folder.
func (v *Volume) find(short string) ([]byte, error) {
	entries, err := v.readRoot()
	if err != nil {
		return nil, err
	}
	for e := range each(entries) {
		if e[0] != deleted && e[11]&attrVolume == 0 && shortText(e) == strings.ToUpper(short) {
			return e, nil
		}
	}
	return nil, fmt.Errorf("FAT: there is no %s", short)
}

// start is the sector where the file of an entry starts.
func (v *Volume) start(e []byte) int64 {
	return v.dataStart() + (int64(le.Uint16(e[26:]))-2)*v.perCluster
}

// each walks a folder's entries up to its end.
func each(entries []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for at := 0; at+entrySize <= len(entries) && entries[at] != 0; at += entrySize {
			if !yield(entries[at : at+entrySize]) {
				return
			}
		}
	}
}

// shortText is the 8.3 name of an entry.
func shortText(e []byte) string {
	name := strings.TrimRight(string(e[0:8]), " ")
	if ext := strings.TrimRight(string(e[8:11]), " "); ext != "" {
		name += "." + ext
	}
	return strings.ToUpper(name)
}

func (v *Volume) read(sector, sectors int64) ([]byte, error) {
	b := make([]byte, sectors*sectorSize)
	if _, err := v.disk.ReadAt(b, v.base+sector*sectorSize); err != nil {
		return nil, fmt.Errorf("read FAT: %w", err)
	}
	return b, nil
}

func (v *Volume) write(b []byte, sector int64) error {
	if _, err := v.disk.WriteAt(b, v.base+sector*sectorSize); err != nil {
		return fmt.Errorf("write FAT: %w", err)
	}
	return nil
}

func (v *Volume) readRoot() ([]byte, error) {
	return v.read(v.rootStart(), v.root*entrySize/sectorSize)
}

func (v *Volume) readTable() ([]uint16, error) {
	b, err := v.read(v.reserved, v.table)
	if err != nil {
		return nil, err
	}
	table := make([]uint16, len(b)/2)
	for i := range table {
		table[i] = le.Uint16(b[2*i:])
	}
	return table, nil
}

func (v *Volume) writeTable(table []uint16) error {
	b := make([]byte, v.table*sectorSize)
	for i, next := range table {
		le.PutUint16(b[2*i:], next)
	}
	return v.write(b, v.reserved)
}
