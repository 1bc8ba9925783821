//go:build linux

package card

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// here are the places of a running device.
func here() places {
	return places{
		root: "/", sys: "/sys", proc: "/proc", dev: "/dev",
		numbers: func() (uint32, uint32, error) {
			var st unix.Stat_t
			if err := unix.Stat("/", &st); err != nil {
				return 0, 0, fmt.Errorf("find the root file system: %w", err)
			}
			return unix.Major(uint64(st.Dev)), unix.Minor(uint64(st.Dev)), nil
		},
		// gokrazy's init ends the services, unmounts /perm and starts again
		// (signals.go).
		reboot: func() error { return unix.Kill(1, unix.SIGTERM) },
	}
}

func freeSpace(dir string) (int64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * int64(st.Bsize), nil
}

// blockSize suits the direct reads of every card.
const blockSize = 1 << 20

// direct reads a file past the page cache, so that it is the card that answers.
type direct struct {
	f    *os.File
	buf  []byte // aligned to a page, as O_DIRECT wants it
	have []byte // what was read and not handed out
}

func openDirect(name string) (io.ReadCloser, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|unix.O_DIRECT, 0)
	if errors.Is(err, unix.EINVAL) { // a file, on a file system that cannot do that
		return openUncached(name)
	}
	if err != nil {
		return nil, err
	}
	buf, err := unix.Mmap(-1, 0, blockSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &direct{f: f, buf: buf}, nil
}

// openUncached takes a file out of the cache before it is read.
func openUncached(name string) (io.ReadCloser, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if err := unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (d *direct) Read(p []byte) (int, error) {
	if len(d.have) == 0 {
		n, err := d.f.Read(d.buf)
		if n == 0 {
			return 0, err
		}
		d.have = d.buf[:n]
	}
	n := copy(p, d.have)
	d.have = d.have[n:]
	return n, nil
}

func (d *direct) Close() error { return errors.Join(unix.Munmap(d.buf), d.f.Close()) }
