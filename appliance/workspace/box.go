package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/prompt64/prompt64/appliance/privsep"
)

const maxAttrs = 1 << 20 // bytes of info/attributes

// box is the private folder in which git runs, for one inspection:
//
//	git/    a git directory of our own, with a copy of the index
//	storeN/ links to the folders of one object store of the repository
//	tree/   the work tree that git sees: copies of the files that differ
type box struct {
	dir     string
	program string
	stores  []*os.File // the object stores, opened beneath the root
	said    int        // bytes that git has put out so far
	user    *privsep.User
	confine bool // hold git to the box by the kernel too
}

func (b *box) gitDir() string { return filepath.Join(b.dir, "git") }
func (b *box) tree() string   { return filepath.Join(b.dir, "tree") }

// newBox makes an empty box; close it in the end.
func (r *Root) newBox() (*box, error) {
	dir, err := os.MkdirTemp(r.temp, boxPrefix)
	if err != nil {
		return nil, fmt.Errorf("inspect git: %w", plain(err))
	}
	b := &box{dir: dir, program: r.git, user: r.user}
	for _, d := range []string{"tree", "git/refs", "git/objects/info", "git/info"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			b.close()
			return nil, fmt.Errorf("inspect git: %w", plain(err))
		}
	}
	if err := b.write("git/HEAD", "ref: refs/heads/none\n"); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *box) close() {
	for _, f := range b.stores {
		f.Close()
	}
	_ = os.RemoveAll(b.dir)
}

func (b *box) write(name, text string) error {
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o600); err != nil {
		return fmt.Errorf("inspect git: %w", plain(err))
	}
	return nil
}

// fill puts into the box what git needs of the repository, and gives its index
// with the time at which git wrote it.
func (r *Root) fill(ctx context.Context, b *box, repo *repository, s settings) (*index, time.Time, error) {
	if err := b.write("git/config", s.config()); err != nil {
		return nil, time.Time{}, err
	}
	if err := r.linkStores(b, repo); err != nil {
		return nil, time.Time{}, err
	}
	if text, err := r.readFile(path.Join(repo.common, "info/attributes"), maxAttrs); err == nil {
		if err := b.write("git/info/attributes", string(text)); err != nil {
			return nil, time.Time{}, err
		}
	}
	return r.copyIndex(ctx, b, repo, s)
}

// copyIndex copies the index; a split one is merged in the box.
func (r *Root) copyIndex(ctx context.Context, b *box, repo *repository, s settings) (*index, time.Time, error) {
	data, info, err := r.readFileInfo(path.Join(repo.dir, "index"), maxIndex)
	if errors.Is(err, ErrNotFound) {
		return &index{}, time.Time{}, nil
	}
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("git index: %w", unsafely(err))
	}
	x, err := parseIndex(data, s.idSize())
	if err != nil {
		return nil, time.Time{}, err
	}
	if err := b.write("git/index", string(data)); err != nil || !x.split {
		return x, info.ModTime(), err
	}
	if err := r.copyShared(b, repo, string(data)); err != nil {
		return nil, time.Time{}, err
	}
	if _, err := b.run(ctx, nil, "update-index", "--no-split-index", "--force-write-index"); err != nil {
		return nil, time.Time{}, err
	}
	if data, err = os.ReadFile(filepath.Join(b.gitDir(), "index")); err != nil {
		return nil, time.Time{}, fmt.Errorf("git index: %w", plain(err))
	}
	x, err = parseIndex(data, s.idSize())
	return x, info.ModTime(), err
}

// copyShared copies the shared indexes that the index names.
func (r *Root) copyShared(b *box, repo *repository, index string) error {
	entries, err := r.dirEntries(repo.dir)
	if err != nil {
		return fmt.Errorf("git index: %w", unsafely(err))
	}
	for _, e := range entries {
		id, ok := strings.CutPrefix(e.Name(), "sharedindex.")
		if !ok || !isObjectID(id) || !strings.Contains(index, rawID(id)) {
			continue
		}
		data, err := r.readFile(path.Join(repo.dir, e.Name()), maxIndex)
		if err != nil {
			return fmt.Errorf("git index: %w", unsafely(err))
		}
		if err := b.write("git/"+e.Name(), string(data)); err != nil {
			return err
		}
	}
	return nil
}

// unsafely says in git's words that a path of a repository leads out.
func unsafely(err error) error {
	if errors.Is(err, ErrOutside) {
		return ErrUnsafe
	}
	return err
}
