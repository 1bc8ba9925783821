package workspace

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	maxCopy   = 8 << 20  // bytes of one file that is compared line by line
	maxCopies = 64 << 20 // bytes of all of them in one inspection
)

// stage collects what differs from the index, as copies in the box, and brings
// it into the box's index.
type stage struct {
	box   *box
	set   settings
	files bytes.Buffer    // paths to add, for update-index --stdin
	info  bytes.Buffer    // entries to set or remove, for update-index --index-info
	large map[string]bool // tracked files that are too large to compare
	used  int64
}

func newStage(b *box, set settings) *stage {
	return &stage{box: b, set: set, large: map[string]bool{}}
}

// gone removes a path.
func (g *stage) gone(p string) { fmt.Fprintf(&g.info, "0 %s\t%s\x00", g.nullID(), p) }

// module sets a submodule's commit.
func (g *stage) module(p, commit string) { fmt.Fprintf(&g.info, "160000 %s\t%s\x00", commit, p) }

func (g *stage) nullID() string { return fmt.Sprintf("%0*d", 2*g.set.idSize(), 0) }

// take copies the file name in dir, unless its bytes are those of the entry e;
// e is nil for a file that is not tracked. A file that goes away meanwhile is
// left as the index has it.
func (g *stage) take(ctx context.Context, dir *os.Root, name, p string, e *indexEntry) error {
	info, err := dir.Lstat(name)
	if err != nil || !trackable(info.Mode()) {
		return nil
	}
	if info.Mode().Type() == fs.ModeSymlink {
		link, err := dir.Readlink(name)
		if err != nil {
			return nil
		}
		return g.put(p, func(to string) error { return os.Symlink(link, to) })
	}
	f, info, err := openRegular(dir, name)
	if err != nil {
		return nil
	}
	defer f.Close()
	if e != nil && e.stage == 0 && uint32(info.Size()) == e.size && e.mode&modeType == modeFile&modeType {
		same, err := g.same(ctx, f, info.Size(), e)
		if err != nil {
			return err
		}
		if same && (!g.set.fileMode || (e.mode&0o100 != 0) == (info.Mode()&0o100 != 0)) {
			return nil
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return nil
		}
	}
	if info.Size() > maxCopy || g.used+info.Size() > maxCopies {
		g.large[p] = true
		return nil
	}
	g.used += info.Size()
	return g.put(p, func(to string) error { return copyFile(f, to, info) })
}

// put makes the copy of p and notes it.
func (g *stage) put(p string, create func(to string) error) error {
	to := filepath.Join(g.box.tree(), filepath.FromSlash(p))
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return fmt.Errorf("inspect git: %w", plain(err))
	}
	if err := create(to); err != nil {
		return fmt.Errorf("inspect git: %w", plain(err))
	}
	fmt.Fprintf(&g.files, "%s\x00", p)
	return nil
}

func copyFile(f io.Reader, to string, info fs.FileInfo) error {
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600|info.Mode()&0o100)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(f, maxCopy))
	return errors.Join(err, out.Close())
}

// same hashes a file as git does a blob, and compares.
func (g *stage) same(ctx context.Context, f io.Reader, size int64, e *indexEntry) (bool, error) {
	var h hash.Hash = sha1.New()
	if g.set.sha256 {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", size)
	if _, err := io.Copy(h, contextReader{ctx, f}); err != nil {
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		return false, nil
	}
	return string(h.Sum(nil)) == e.id, nil
}

// apply brings what was collected into the box's index.
func (g *stage) apply(ctx context.Context) error {
	if g.info.Len() > 0 {
		if _, err := g.box.run(ctx, g.info.Bytes(), "update-index", "-z", "--index-info"); err != nil {
			return err
		}
	}
	if g.files.Len() > 0 {
		if _, err := g.box.run(ctx, g.files.Bytes(), "update-index", "--add", "--replace", "-z", "--stdin"); err != nil {
			return err
		}
	}
	return nil
}
