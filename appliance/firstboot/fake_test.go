package firstboot

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"

	"github.com/prompt64/prompt64/appliance/gpt"
)

var errPower = errors.New("the power is gone")

const (
	imageSectors = 1024
	cardSectors  = 2048
	firstSector  = 512
	blockSize    = 4096
)

// machine is a card and a kernel. After so many side effects the power is gone; a
// write is one for each of its bytes, and may end within.
type machine struct {
	card  []byte
	known uint64 // by the kernel
	fs    Filesystem

	left    int // side effects until the power goes; negative: it does not
	effects int
	noCard  bool
	tellErr error
}

// newMachine is a device with an image on a larger card.
func newMachine(t testing.TB) *machine {
	t.Helper()
	m := &machine{card: make([]byte, cardSectors*gpt.SectorSize), left: -1}
	le := binary.LittleEndian
	entries := m.card[1024 : 1024+128*128]
	for i, lba := range [][2]uint64{{34, 99}, {100, 199}, {200, 299}, {firstSector, imageSectors - 34 - 6}} {
		e := entries[i*128:]
		e[0], e[16] = 1, byte(i+1)
		le.PutUint64(e[32:], lba[0])
		le.PutUint64(e[40:], lba[1])
	}
	for _, at := range []uint64{1, imageSectors - 1} { // the second copy is where the image ends
		h := make([]byte, 92)
		copy(h, "EFI PART\x00\x00\x01\x00\x5c\x00\x00\x00")
		start := uint64(2)
		if at != 1 {
			start = at - 32
			copy(m.card[start*512:], entries)
		}
		for off, v := range map[int]uint64{24: at, 32: imageSectors - at, 40: 34, 48: imageSectors - 34, 72: start} {
			le.PutUint64(h[off:], v)
		}
		copy(h[56:], "the disk's own i")
		le.PutUint32(h[80:], 128)
		le.PutUint32(h[84:], 128)
		le.PutUint32(h[88:], crc32.ChecksumIEEE(entries))
		le.PutUint32(h[16:], crc32.ChecksumIEEE(h))
		copy(m.card[at*512:], h)
	}
	m.boot(t)
	m.fs = Filesystem{Blocks: m.known * 512 / blockSize, BlockSize: blockSize}
	return m
}

// boot is the kernel's reading of the table.
func (m *machine) boot(t testing.TB) {
	t.Helper()
	table, err := gpt.Read(bytes.NewReader(m.card), cardSectors)
	if err != nil {
		t.Fatalf("the kernel finds no table: %v", err)
	}
	part, err := table.Partition(4)
	if err != nil || part.First != firstSector {
		t.Fatalf("the kernel finds %+v, %v", part, err)
	}
	m.known, m.left, m.effects = part.Sectors(), -1, 0
}

// effect reports how much of n side effects happens.
func (m *machine) effect(n int) (int, error) {
	if m.left < 0 {
		m.effects += n
		return n, nil
	}
	if m.left < n {
		n, m.left = m.left, 0
		return n, errPower
	}
	m.left -= n
	return n, nil
}

func (m *machine) Find(mount string) (Place, error) {
	if m.noCard {
		return Place{}, ErrNoCard
	}
	return Place{Mount: mount, Number: 4, Sectors: cardSectors}, nil
}

func (m *machine) Open(Place) (Disk, error) { return m, nil }
func (m *machine) Close() error             { return nil }
func (m *machine) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(m.card).ReadAt(p, off)
}

func (m *machine) WriteAt(p []byte, off int64) (int, error) {
	n, err := m.effect(len(p))
	return copy(m.card[off:], p[:n]), err
}

func (m *machine) Sync() error {
	_, err := m.effect(1)
	return err
}

func (m *machine) Known(Place) (uint64, error) { return m.known, nil }

func (m *machine) Tell(_ Place, p gpt.Partition) error {
	if m.tellErr != nil {
		return m.tellErr
	}
	if n, err := m.effect(1); err != nil || n == 0 {
		return errPower
	}
	m.known = p.Sectors()
	return nil
}

func (m *machine) Filesystem(Place) (Filesystem, error) { return m.fs, nil }

func (m *machine) Enlarge(_ Place, blocks uint64) error {
	if blocks*blockSize > m.known*512 {
		return errors.New("the file system would be larger than its partition")
	}
	if _, err := m.effect(1); err != nil {
		return err
	}
	m.fs.Blocks = blocks
	return nil
}
