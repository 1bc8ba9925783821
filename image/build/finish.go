package build

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/prompt64/prompt64/appliance/gpt"
	"github.com/prompt64/prompt64/image/fat"
)

// The partitions of the packer's layout.
const (
	bootPartition = 1
	rootPartition = 2
	permPartition = 4
)

// settingsName is the file on the boot partition that the device takes over.
const settingsName = "prompt64.json"

// finish does in the image what the packer leaves open.
func finish(ctx context.Context, o Options, path, permFolder string, date time.Time) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	table, err := gpt.Read(f, uint64(o.Bytes/gpt.SectorSize))
	if err != nil {
		return err
	}
	boot, err := table.Partition(bootPartition)
	if err != nil {
		return err
	}
	perm, err := table.Partition(permPartition)
	if err != nil {
		return err
	}
	// Desktops mount basic data, and leave a system partition alone.
	if err := errors.Join(table.SetType(bootPartition, gpt.BasicData), table.Write(f)); err != nil {
		return err
	}
	if err := finishBoot(f, boot, o.Settings, date); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return makePerm(ctx, path, perm, permFolder)
}

// finishBoot gives the boot partition room and the owner's settings.
func finishBoot(f *os.File, p gpt.Partition, settings []byte, date time.Time) error {
	v, err := fat.Open(f, p.Offset())
	if err != nil {
		return err
	}
	before := map[string]int64{}
	for _, name := range []string{"VMLINUZ", "CMDLINE.TXT"} {
		if before[name], err = v.Sector(name); err != nil {
			return err
		}
	}
	moved, err := v.Extend(p.Bytes())
	if err != nil {
		return err
	}
	if err := patchBootCode(f, before, moved); err != nil {
		return err
	}
	if settings == nil {
		return nil
	}
	return v.Add(settingsName, settings, date)
}

// patchBootCode tells the BIOS boot code in the first sector where the kernel and
// its command line are now; it knows them by their sectors.
func patchBootCode(f *os.File, before map[string]int64, moved int64) error {
	const codeBytes = 440
	code := make([]byte, codeBytes)
	if _, err := f.ReadAt(code, 0); err != nil {
		return err
	}
	for name, sector := range before {
		was := binary.LittleEndian.AppendUint32(nil, uint32(sector))
		if n := bytes.Count(code, was); n != 1 {
			return fmt.Errorf("patch boot code: the sector of %s is in it %d times", name, n)
		}
		at := bytes.Index(code, was)
		binary.LittleEndian.PutUint32(code[at:], uint32(sector+moved))
	}
	_, err := f.WriteAt(code, 0)
	return err
}
