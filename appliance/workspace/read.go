package workspace

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"syscall"
)

var (
	errNotRegular = errors.New("not a plain file")
	errTooLarge   = errors.New("too large")
)

// openRegular opens the plain file at rel in root. A FIFO does not block it, a
// device is not read, and what a link was swapped for is refused.
func openRegular(root *os.Root, rel string) (*os.File, os.FileInfo, error) {
	before, err := root.Lstat(rel)
	if err != nil {
		return nil, nil, plain(err)
	}
	if !before.Mode().IsRegular() {
		return nil, nil, errNotRegular
	}
	f, err := root.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, plain(err)
	}
	after, err := f.Stat()
	if err != nil || !os.SameFile(before, after) {
		f.Close()
		return nil, nil, errNotRegular
	}
	return f, after, nil
}

// readFile reads a small plain file whose path may hold links that stay beneath
// the root.
func (r *Root) readFile(rel string, limit int64) ([]byte, error) {
	data, _, err := r.readFileInfo(rel, limit)
	return data, err
}

func (r *Root) readFileInfo(rel string, limit int64) ([]byte, os.FileInfo, error) {
	real, err := r.real(rel)
	if err != nil {
		return nil, nil, err
	}
	f, info, err := openRegular(r.fs, real)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err := readAtMost(f, limit)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", path.Base(rel), err)
	}
	return data, info, nil
}

// readAtMost reads all of f, or fails when that is more than limit.
func readAtMost(f io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, errTooLarge
	}
	return data, nil
}
