package workspace

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

const (
	maxDepth     = 128  // folders in folders; each holds a descriptor while it is read
	maxUntracked = 4096 // rows for untracked files
)

// scan walks a work tree beside the index. It opens each folder from its
// parent's handle and never follows a link.
type scan struct {
	r       *Root
	repo    *repository
	set     settings
	index   *index
	written time.Time // when git wrote the index
	stage   *stage

	untracked []Change
	cut       bool // there are more untracked files
}

// run looks at the whole work tree.
func (s *scan) run(ctx context.Context) error {
	top, err := s.r.fs.OpenRoot(orDot(s.repo.top))
	if err != nil {
		return plain(err)
	}
	defer top.Close()
	var ignore *ignoreList
	if text, err := s.r.readFile(path.Join(s.repo.common, "info/exclude"), maxIgnore); err == nil {
		ignore = parseIgnore(string(text), "", nil, s.set.ignoreCase)
	}
	if err := s.folder(ctx, top, "", s.index.entries, ignore, 0); err != nil {
		return err
	}
	for i := range s.index.entries {
		if e := &s.index.entries[i]; !e.seen && !e.skip {
			s.stage.gone(e.path)
		}
	}
	return nil
}

// folder looks at one folder: prefix is its path with a slash behind it, entries
// what is tracked beneath it. A nil ignore list with all set means that whatever
// is not tracked is ignored.
func (s *scan) folder(ctx context.Context, dir *os.Root, prefix string, entries []indexEntry, ignore *ignoreList, depth int) error {
	names, err := readNames(ctx, dir)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		markSeen(entries) // a folder that may not be read is taken for unchanged
		return nil
	}
	if ignore != ignoreAll {
		ignore = s.readIgnore(dir, prefix, ignore)
	}
	for i, e := range names {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if isGitName(e.Name()) {
			continue
		}
		if e.IsDir() {
			err = s.subfolder(ctx, dir, prefix, e.Name(), entries, ignore, depth)
		} else {
			err = s.file(ctx, dir, prefix+e.Name(), e, at(entries, prefix+e.Name()), ignore)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ignoreAll stands for a folder in which everything untracked is ignored.
var ignoreAll = &ignoreList{}

func (s *scan) readIgnore(dir *os.Root, prefix string, up *ignoreList) *ignoreList {
	f, _, err := openRegular(dir, ".gitignore")
	if err != nil {
		return up
	}
	defer f.Close()
	text, err := readAtMost(f, maxIgnore)
	if err != nil {
		return up
	}
	return parseIgnore(string(text), prefix, up, s.set.ignoreCase)
}

func (s *scan) subfolder(ctx context.Context, dir *os.Root, prefix, name string, entries []indexEntry, ignore *ignoreList, depth int) error {
	p := prefix + name
	if e := at(entries, p); len(e) == 1 && e[0].mode&modeType == modeModule {
		e[0].seen = true
		s.module(p, e[0].id)
		return nil
	}
	if e := at(entries, p+"/"); len(e) > 0 { // outside a sparse checkout
		markSeen(e)
		return nil
	}
	below := under(entries, p+"/")
	if ignore != ignoreAll && ignore.match(p, true) {
		ignore = ignoreAll
	}
	if len(below) == 0 {
		if ignore == ignoreAll || depth >= maxDepth {
			return nil
		}
		if _, err := dir.Lstat(name + "/.git"); err == nil {
			s.add(Change{State: '?', Binary: true, Path: p, nested: true})
			return nil
		}
	}
	if depth >= maxDepth {
		markSeen(below)
		return nil
	}
	sub, err := dir.OpenRoot(name)
	if err != nil {
		markSeen(below)
		return nil
	}
	defer sub.Close()
	return s.folder(ctx, sub, p+"/", below, ignore, depth+1)
}

func (s *scan) file(ctx context.Context, dir *os.Root, p string, d fs.DirEntry, entries []indexEntry, ignore *ignoreList) error {
	name := d.Name()
	if len(entries) > 0 {
		info, err := dir.Lstat(name)
		if err != nil || !trackable(info.Mode()) {
			return nil // not seen: gone
		}
		e := &entries[0]
		markSeen(entries)
		if e.skip || (e.stage == 0 && s.clean(e, info)) {
			return nil
		}
		return s.stage.take(ctx, dir, name, p, e)
	}
	if ignore == ignoreAll || !trackable(d.Type()) || ignore.match(p, false) {
		return nil
	}
	row := Change{State: '?', Path: p}
	if len(s.untracked) < maxUntracked {
		row.Added, row.Binary = s.stage.count(ctx, dir, name)
	}
	s.add(row)
	return ctx.Err()
}

func (s *scan) add(c Change) {
	if len(s.untracked) >= maxUntracked {
		s.cut = true
		return
	}
	s.untracked = append(s.untracked, c)
}

// module compares a submodule's commit. One that was never checked out, or that
// cannot be looked into from here, counts as unchanged.
func (s *scan) module(p, id string) {
	repo, err := s.r.repositoryAt(path.Join(s.repo.top, p))
	if err != nil {
		return
	}
	h, err := s.r.head(repo)
	if err == nil && h.commit != "" && rawID(h.commit) != id {
		s.stage.module(p, h.commit)
	}
}

// trackable: git knows plain files and links, and nothing else.
func trackable(m fs.FileMode) bool { return m.IsRegular() || m.Type() == fs.ModeSymlink }

func markSeen(entries []indexEntry) {
	for i := range entries {
		entries[i].seen = true
	}
}

// readNames reads a folder, sorted.
func readNames(ctx context.Context, dir *os.Root) ([]fs.DirEntry, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []fs.DirEntry
	for {
		batch, err := f.ReadDir(readBatch)
		out = append(out, batch...)
		switch {
		case errors.Is(err, io.EOF):
			slices.SortFunc(out, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
			return out, nil
		case err != nil:
			return nil, err
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
	}
}
