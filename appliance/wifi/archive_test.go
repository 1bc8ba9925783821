package wifi_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
)

// archive is an initramfs, in the format "newc" of cpio
// (Documentation/driver-api/early-userspace/buffer-format.rst of the kernel).
type archive struct {
	out   bytes.Buffer
	made  map[string]bool
	inode int
}

func newArchive() *archive { return &archive{made: map[string]bool{}} }

// Modes of stat(2).
const (
	modeFolder = 0o040755
	modeFile   = 0o100755
	modeLink   = 0o120777
	modeDevice = 0o020600
)

func (a *archive) add(name string, mode, major, minor int, data []byte) {
	if a.made[name] {
		return
	}
	a.made[name] = true
	if dir := path.Dir(name); dir != "." {
		a.add(dir, modeFolder, 0, 0, nil)
	}
	a.inode++
	fmt.Fprintf(&a.out, "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%s\x00",
		a.inode, mode, 0, 0, 1, 0, len(data), 0, 0, major, minor, len(name)+1, 0, name)
	a.pad()
	a.out.Write(data)
	a.pad()
}

func (a *archive) pad() {
	for a.out.Len()%4 != 0 {
		a.out.WriteByte(0)
	}
}

func (a *archive) file(name string, data []byte) { a.add(name, modeFile, 0, 0, data) }

func (a *archive) link(name, to string) { a.add(name, modeLink, 0, 0, []byte(to)) }

func (a *archive) device(name string, major, minor int) { a.add(name, modeDevice, major, minor, nil) }

// tree adds all files below a folder.
func (a *archive) tree(files fs.FS, dir string) error {
	return fs.WalkDir(files, dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err == nil {
			a.file(name, data)
		}
		return err
	})
}

func (a *archive) bytes() []byte {
	a.add("TRAILER!!!", 0, 0, 0, nil)
	return a.out.Bytes()
}
