package firstboot

import (
	"fmt"
	"strconv"
	"strings"
)

// The file system of /perm: its blocks are as large as a page from the start, since
// mke2fs would choose smaller ones at the size of an image, and it can be grown online
// to 2 TiB.
const (
	PermBlock    = 4096
	permMax      = 2 << 40 / PermBlock
	bytesAnInode = 16384
)

// FormatArguments are mke2fs's for /perm, without its name: the same when an image is
// built and when a device makes it anew. The extended options are added to ours. What
// takes long is left to the kernel of the device, which does it once the file system is
// in use, and not left to what mke2fs thinks of the kernel that it runs on: the inodes
// of a card of 256 GB are 4 GB of zeros.
func FormatArguments(extended ...string) []string {
	extended = append([]string{"nodiscard", "lazy_itable_init=1", "root_owner=0:0", fmt.Sprintf("resize=%d", permMax)}, extended...)
	return []string{"-q", "-t", "ext4", "-b", strconv.Itoa(PermBlock), "-i", strconv.Itoa(bytesAnInode), "-L", "perm",
		"-E", strings.Join(extended, ",")}
}
