package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

const (
	maxStores   = 16 // object folders, alternates included
	maxAltDepth = 5  // alternates of alternates, as git has it
)

// linkStores makes every object store of the repository an alternate of the
// box's own, which takes what git writes here. The links lead to the single
// folders of a store, so that git does not come across info/alternates.
func (r *Root) linkStores(b *box, repo *repository) error {
	stores, err := r.stores(path.Join(repo.common, "objects"))
	if err != nil {
		return err
	}
	var list strings.Builder
	for i, store := range stores {
		f, err := r.fs.Open(store)
		if err != nil {
			return fmt.Errorf("git objects: %w", unsafely(plain(err)))
		}
		b.stores = append(b.stores, f)
		dir := filepath.Join(b.dir, "store"+strconv.Itoa(i))
		if err := r.linkStore(dir, store); err != nil {
			return err
		}
		fmt.Fprintln(&list, dir)
	}
	return b.write("git/objects/info/alternates", list.String())
}

func (r *Root) linkStore(dir, store string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("inspect git: %w", plain(err))
	}
	entries, err := r.dirEntries(store)
	if err != nil {
		return fmt.Errorf("git objects: %w", unsafely(err))
	}
	for _, e := range entries {
		if e.Name() != "pack" && !(len(e.Name()) == 2 && isHex(e.Name())) {
			continue
		}
		sub := path.Join(store, e.Name())
		if err := r.checkStore(sub, e); err != nil {
			return err
		}
		if err := os.Symlink(r.abs(sub), filepath.Join(dir, e.Name())); err != nil {
			return fmt.Errorf("inspect git: %w", plain(err))
		}
	}
	return nil
}

// checkStore refuses links and odd files among the objects: git would follow
// them wherever they lead.
func (r *Root) checkStore(dir string, e fs.DirEntry) error {
	if !e.IsDir() {
		return fmt.Errorf("git objects: %w", ErrUnsafe)
	}
	files, err := r.dirEntries(dir)
	if err != nil {
		return fmt.Errorf("git objects: %w", unsafely(err))
	}
	for _, f := range files {
		if !f.Type().IsRegular() && !f.IsDir() {
			return fmt.Errorf("git objects: %w", ErrUnsafe)
		}
	}
	return nil
}

// stores lists the object folder and its alternates, all beneath the root.
func (r *Root) stores(objects string) ([]string, error) {
	first, err := r.inGit("", objects)
	if err != nil {
		return nil, fmt.Errorf("git objects: %w", err)
	}
	list, depth := []string{first}, map[string]int{first: 0}
	for i := 0; i < len(list); i++ {
		text, err := r.readFile(path.Join(list[i], "info/alternates"), maxConfig)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("git alternates: %w", unsafely(err))
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimRight(line, "\n")
			if line == "" || line[0] == '#' {
				continue
			}
			next, err := r.inGit(list[i], line)
			if err != nil {
				return nil, fmt.Errorf("git alternates: %w", err)
			}
			if _, known := depth[next]; known {
				continue
			}
			if len(list) >= maxStores || depth[list[i]] >= maxAltDepth {
				return nil, fmt.Errorf("git alternates: %w", ErrUnsupported)
			}
			depth[next] = depth[list[i]] + 1
			list = append(list, next)
		}
	}
	return list, nil
}

// dirEntries reads a folder of a repository whole.
func (r *Root) dirEntries(real string) ([]fs.DirEntry, error) {
	f, err := r.fs.Open(orDot(real))
	if err != nil {
		return nil, plain(err)
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if err != nil {
		return nil, plain(err)
	}
	return entries, nil
}
