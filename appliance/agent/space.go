package agent

import (
	"fmt"
	"syscall"
)

// spareSpace is what an installation leaves free.
const spareSpace = 64 << 20

// FreeSpace returns the bytes that a user may still write where dir is.
func FreeSpace(dir string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, fmt.Errorf("free space: %w", err)
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}

// room reports in words when there is not enough space for n bytes more.
func (in *Installer) room(f folder, n int64) error {
	free, err := in.free(string(f))
	if err != nil {
		return err
	}
	if need := n + spareSpace; free < need {
		return fmt.Errorf("it needs %s and only %s are free: make room by removing workspaces or other files", megabytes(need), megabytes(free))
	}
	return nil
}

func megabytes(n int64) string { return fmt.Sprintf("%d MB", (n+999_999)/1_000_000) }
