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
// built and when a device makes it anew. The extended options are added to ours.
func FormatArguments(extended ...string) []string {
	extended = append([]string{"nodiscard", "root_owner=0:0", fmt.Sprintf("resize=%d", permMax)}, extended...)
	return []string{"-q", "-t", "ext4", "-b", strconv.Itoa(PermBlock), "-i", strconv.Itoa(bytesAnInode), "-L", "perm",
		"-E", strings.Join(extended, ",")}
}
