package release

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/diskfs/go-diskfs/backend"
	"github.com/diskfs/go-diskfs/backend/file"
	"github.com/diskfs/go-diskfs/filesystem/squashfs"

	"github.com/prompt64/prompt64/appliance/gpt"
	"github.com/prompt64/prompt64/appliance/update/bundle"
	"github.com/prompt64/prompt64/appliance/update/card"
	"github.com/prompt64/prompt64/image/fat"
)

// The partitions of gokrazy's layout.
const (
	bootPartition = 1
	rootPartition = 2
)

// squashfsUsed is where the superblock has the size, as u64, little-endian.
const squashfsUsed = 40

// contents are the parts of an image that matter here.
type contents struct {
	file  *os.File
	about card.About
	kernel,
	guard []byte
	release string // what the kernel's modules are for
	offset  int64  // of the root, in bytes
	size    int64
}

// open reads an image.
func open(path string) (c *contents, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("read the image %s: %w", path, err), f.Close())
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	table, err := gpt.Read(f, uint64(info.Size()/gpt.SectorSize))
	if err != nil {
		return nil, err
	}
	c = &contents{file: f}
	if err := c.readBoot(table); err != nil {
		return nil, err
	}
	return c, c.readRoot(table)
}

// close closes the image.
func (c *contents) close() error { return c.file.Close() }

// root reads the root file system, without what is behind it in its partition.
func (c *contents) root() io.Reader { return io.NewSectionReader(c.file, c.offset, c.size) }

func (c *contents) readBoot(table *gpt.Table) error {
	p, err := table.Partition(bootPartition)
	if err != nil {
		return err
	}
	v, err := fat.Open(readOnly{c.file}, p.Offset())
	if err != nil {
		return err
	}
	c.kernel, err = v.Read("VMLINUZ")
	return err
}

// readOnly is a disk that nothing is written to.
type readOnly struct{ io.ReaderAt }

func (readOnly) WriteAt([]byte, int64) (int, error) { return 0, fs.ErrPermission }

func (c *contents) readRoot(table *gpt.Table) error {
	p, err := table.Partition(rootPartition)
	if err != nil {
		return err
	}
	super := make([]byte, 96)
	if _, err := c.file.ReadAt(super, p.Offset()); err != nil {
		return err
	}
	if !bytes.HasPrefix(super, []byte("hsqs")) {
		return errors.New("its root partition holds no squashfs")
	}
	c.offset, c.size = p.Offset(), int64(binary.LittleEndian.Uint64(super[squashfsUsed:]))
	if c.size > p.Bytes() {
		return errors.New("its root file system is cut short")
	}
	root, err := squashfs.Read(backend.Sub(file.New(c.file, true), c.offset, c.size), c.size, 0, 0)
	if err != nil {
		return err
	}
	about, err := root.ReadFile(card.AboutFile)
	if err != nil {
		return fmt.Errorf("it does not say what it is: %w", err)
	}
	if err := json.Unmarshal(about, &c.about); err != nil {
		return fmt.Errorf("%s: %w", card.AboutFile, err)
	}
	if c.guard, err = root.ReadFile(card.GuardFile); err != nil {
		return fmt.Errorf("it has no guard, which goes back from a bad update: %w", err)
	}
	if modules, err := root.ReadDir("lib/modules"); err == nil && len(modules) > 0 {
		c.release = modules[0].Name()
	}
	return nil
}

// manifest describes the image, but for its root.
func (c *contents) manifest() bundle.Manifest {
	return bundle.Manifest{
		Version: c.about.Version, Minimum: c.about.Minimum, Board: c.about.Board, Arch: c.about.Arch,
		Kernel: bundle.Kernel{Release: c.release, SHA256: digest(c.kernel)}, Guard: digest(c.guard),
	}
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
