package card

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prompt64/prompt64/appliance/update"
)

// disk is the card that the system runs from.
type disk struct {
	sys, dev string // the folders /sys and /dev
	folder   string // of the card, below sys
	running  update.Slot
}

// findDisk finds the card from the device numbers of the root file system.
func findDisk(sys, dev string, major, minor uint32) (disk, error) {
	root, err := filepath.EvalSymlinks(filepath.Join(sys, "dev/block", fmt.Sprintf("%d:%d", major, minor)))
	if err != nil {
		return disk{}, fmt.Errorf("find the card: %w", err)
	}
	n, err := number(filepath.Join(root, "partition"))
	if err != nil {
		return disk{}, fmt.Errorf("find the card: the system does not run from a partition of one: %w", err)
	}
	return disk{sys: sys, dev: dev, folder: filepath.Dir(root), running: update.Slot(n)}, nil
}

// partition returns the folder of a slot below /sys and its device.
func (d disk) partition(slot update.Slot) (folder, device string, err error) {
	files, err := filepath.Glob(filepath.Join(d.folder, "*", "partition"))
	if err != nil {
		return "", "", err
	}
	for _, file := range files {
		if n, err := number(file); err == nil && update.Slot(n) == slot {
			folder = filepath.Dir(file)
			return folder, filepath.Join(d.dev, filepath.Base(folder)), nil
		}
	}
	return "", "", fmt.Errorf("the card %s has no partition %d", filepath.Base(d.folder), slot)
}

// size is how many bytes a slot has.
func (d disk) size(slot update.Slot) (int64, error) {
	folder, _, err := d.partition(slot)
	if err != nil {
		return 0, err
	}
	sectors, err := number(filepath.Join(folder, "size")) // always of 512 bytes
	return sectors * 512, err
}

func number(file string) (int64, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}
