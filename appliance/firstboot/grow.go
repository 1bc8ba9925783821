package firstboot

import (
	"errors"
	"fmt"
	"io"

	"github.com/prompt64/prompt64/appliance/gpt"
)

// Place is where a file system lies.
type Place struct {
	Mount   string // such as /perm
	Disk    string // such as /dev/mmcblk0
	Device  string // of the partition, such as /dev/mmcblk0p4
	Number  int    // of the partition
	Sectors uint64 // of the disk
}

// Disk is an open disk.
type Disk interface {
	io.ReaderAt
	gpt.Disk
	io.Closer
}

// System is everything outside that growing needs.
type System interface {
	// Find says where a mounted file system lies. [ErrNoCard] is that of one that
	// lies on no partition.
	Find(mount string) (Place, error)
	Open(Place) (Disk, error)
	// Known is the partition's size in sectors as the kernel has it.
	Known(Place) (uint64, error)
	// Tell has the kernel take another size for a partition that is in use.
	Tell(Place, gpt.Partition) error
	// Filesystem is the size of the mounted file system.
	Filesystem(Place) (Filesystem, error)
	// Enlarge grows the mounted file system to so many blocks.
	Enlarge(Place, uint64) error
}

// Filesystem is the size of one.
type Filesystem struct {
	Blocks, BlockSize uint64
}

// Bytes is its size.
func (f Filesystem) Bytes() uint64 { return f.Blocks * f.BlockSize }

// ErrNoCard is the state of a machine whose files do not lie on a card of ours.
var ErrNoCard = errors.New("there is no partition to grow")

// align is the multiple of sectors that the end of a partition lies at: a block of
// the file system.
const align = 8

// Grown says what growing did, in bytes.
type Grown struct{ Before, After uint64 }

// Changed reports whether there is more room than before.
func (g Grown) Changed() bool { return g.After > g.Before }

// Grow makes the file system at mount as large as its card. It may be called at every
// start: what was done already is not done again.
func Grow(s System, mount string) (Grown, error) {
	place, err := s.Find(mount)
	if err != nil {
		return Grown{}, fmt.Errorf("grow %s: %w", mount, err)
	}
	before, err := s.Filesystem(place)
	if err != nil {
		return Grown{}, fmt.Errorf("grow %s: %w", mount, err)
	}
	g := Grown{before.Bytes(), before.Bytes()}
	part, err := growPartition(s, place)
	if err != nil {
		return g, fmt.Errorf("grow %s: %w", mount, err)
	}
	if err := tellKernel(s, place, part); err != nil {
		return g, fmt.Errorf("grow %s: %w", mount, err)
	}
	want := uint64(part.Bytes()) / before.BlockSize
	if want > before.Blocks {
		if err := s.Enlarge(place, want); err != nil {
			return g, fmt.Errorf("grow %s: the file system stays as it is: %w", mount, err)
		}
	}
	after, err := s.Filesystem(place)
	if err != nil {
		return g, fmt.Errorf("grow %s: %w", mount, err)
	}
	g.After = after.Bytes()
	return g, nil
}

// growPartition moves the partition's end to the card's, and the second copy of the
// table with it.
func growPartition(s System, place Place) (gpt.Partition, error) {
	d, err := s.Open(place)
	if err != nil {
		return gpt.Partition{}, fmt.Errorf("open card: %w", err)
	}
	defer d.Close()
	table, err := gpt.Read(d, place.Sectors)
	if err != nil {
		return gpt.Partition{}, err
	}
	part, err := table.Partition(place.Number)
	if err != nil {
		return gpt.Partition{}, err
	}
	last := table.LastUsable()
	if part.First > last {
		return gpt.Partition{}, fmt.Errorf("partition %d begins behind the card's end", place.Number)
	}
	last = part.First + (last-part.First+1)/align*align - 1
	if last <= part.Last && table.Whole {
		return part, nil
	}
	if last > part.Last {
		if err := table.Resize(place.Number, last); err != nil {
			return gpt.Partition{}, err
		}
	}
	if err := table.Write(d); err != nil {
		return gpt.Partition{}, err
	}
	return table.Partition(place.Number)
}

// tellKernel has the kernel see the partition's new size. At the next start it reads
// the table by itself.
func tellKernel(s System, place Place, part gpt.Partition) error {
	known, err := s.Known(place)
	if err != nil {
		return fmt.Errorf("ask for the partition's size: %w", err)
	}
	if known >= part.Sectors() {
		return nil
	}
	if err := s.Tell(place, part); err != nil {
		return fmt.Errorf("the card's table is larger now, but the system takes it at the next start only: %w", err)
	}
	return nil
}
