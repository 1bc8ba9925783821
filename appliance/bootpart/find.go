package bootpart

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// boot is the number of the boot partition.
const boot = 1

// sibling finds a partition, by its number, of the disk that the partition with the
// given device numbers is on. sys is the folder /sys.
func sibling(sys string, major, minor uint32, number int) (string, error) {
	link := filepath.Join(sys, "dev/block", fmt.Sprintf("%d:%d", major, minor))
	root, err := filepath.EvalSymlinks(link)
	if err != nil {
		return "", fmt.Errorf("find the card's partition %d: %w", number, err)
	}
	if _, err := os.Stat(filepath.Join(root, "partition")); err != nil {
		return "", fmt.Errorf("find the card's partition %d: the system does not run from a partition of a card", number)
	}
	disk := filepath.Dir(root)
	entries, err := os.ReadDir(disk)
	if err != nil {
		return "", fmt.Errorf("find the card's partition %d: %w", number, err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(disk, e.Name(), "partition"))
		if err == nil && strings.TrimSpace(string(text)) == strconv.Itoa(number) {
			return path.Join("/dev", e.Name()), nil
		}
	}
	return "", fmt.Errorf("find the card's partition %d: %s has none: %w", number, filepath.Base(disk), fs.ErrNotExist)
}
