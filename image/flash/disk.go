package flash

import (
	"fmt"
	"strings"
)

// Disk is what an image may be written to.
type Disk struct {
	Path       string
	Name       string // what a person types to agree
	File       bool   // it is a plain file
	New        bool   // a file that is not there yet
	Size       int64  // 0: a file that grows
	Model      string
	Removable  bool // a card or a stick, as far as the system knows
	ReadOnly   bool
	PartOf     string   // the whole disk, if this is a partition
	System     bool     // the running system is on it
	Mounted    []string // where parts of it are
	InUse      string   // by what else: swap, a RAID
	Partitions []Partition
}

// Partition is a part of a disk.
type Partition struct {
	Name  string
	Size  int64
	Label string
}

// Allow is what the caller was told to do although it is dangerous.
type Allow struct {
	Internal bool // write to a disk that is not removable
}

// Refusal reports why nothing may be written to a disk.
func (d Disk) Refusal(image int64, allow Allow) error {
	switch {
	case d.PartOf != "":
		return fmt.Errorf("%s is one partition of %s: the image needs the whole disk, so name that", d.Path, d.PartOf)
	case d.System:
		return fmt.Errorf("%s is the disk that this computer runs from: nothing is ever written there", d.Path)
	case len(d.Mounted) > 0:
		return fmt.Errorf("%s is in use: it is open at %s: eject it there, or run: umount %s", d.Path, strings.Join(d.Mounted, ", "), strings.Join(d.Mounted, " "))
	case d.InUse != "":
		return fmt.Errorf("%s is in use by %s", d.Path, d.InUse)
	case d.ReadOnly:
		return fmt.Errorf("%s is write-protected: look for a small lock on the card's side", d.Path)
	case !d.File && d.Size == 0:
		return fmt.Errorf("%s has no card in it", d.Path)
	case d.Size > 0 && d.Size < image:
		return fmt.Errorf("%s is too small: it has %s, and the image needs %s", d.Path, Bytes(d.Size), Bytes(image))
	case !d.File && !d.Removable && !allow.Internal:
		return fmt.Errorf("%s (%s) is not removable: it looks like a disk of this computer. If it is the card after all, say --internal", d.Path, d.described())
	}
	return nil
}

func (d Disk) described() string {
	model := d.Model
	if model == "" {
		model = "no name"
	}
	return fmt.Sprintf("%s, %s", model, Bytes(d.Size))
}

// Description says, line by line, what will be erased.
func (d Disk) Description() []string {
	if d.File {
		if d.New {
			return []string{fmt.Sprintf("%s, a new file", d.Path)}
		}
		return []string{fmt.Sprintf("%s, a file of %s", d.Path, Bytes(d.Size))}
	}
	lines := []string{fmt.Sprintf("%s, %s", d.Path, d.described())}
	for _, p := range d.Partitions {
		line := fmt.Sprintf("  %s, %s", p.Name, Bytes(p.Size))
		if p.Label != "" {
			line += ", " + p.Label
		}
		lines = append(lines, line)
	}
	if len(d.Partitions) == 0 {
		lines = append(lines, "  without partitions")
	}
	return lines
}

// Bytes is a size as it stands on a card: in powers of ten.
func Bytes(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%d bytes", n)
}
