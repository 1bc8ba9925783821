package bootpart

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// sibling finds partition 1 of the disk that the partition with the given device
// numbers is on. sys is the folder /sys.
func sibling(sys string, major, minor uint32) (string, error) {
	link := filepath.Join(sys, "dev/block", fmt.Sprintf("%d:%d", major, minor))
	root, err := filepath.EvalSymlinks(link)
	if err != nil {
		return "", fmt.Errorf("find the boot partition: %w", err)
	}
	if _, err := os.Stat(filepath.Join(root, "partition")); err != nil {
		return "", errors.New("find the boot partition: the system does not run from a partition of a card")
	}
	disk := filepath.Dir(root)
	entries, err := os.ReadDir(disk)
	if err != nil {
		return "", fmt.Errorf("find the boot partition: %w", err)
	}
	for _, e := range entries {
		number, err := os.ReadFile(filepath.Join(disk, e.Name(), "partition"))
		if err == nil && strings.TrimSpace(string(number)) == "1" {
			return path.Join("/dev", e.Name()), nil
		}
	}
	return "", fmt.Errorf("find the boot partition: %s has no first partition: %w", filepath.Base(disk), fs.ErrNotExist)
}
