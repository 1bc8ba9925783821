package workspace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// readBatch is how many names are read from a folder at a time.
const readBatch = 1024

// Entry is a folder in a list.
type Entry struct {
	Name string
	Git  bool // it is the top of a git repository
}

// List gives the folders in the folder at name, in natural order. Folders whose
// names begin with a dot are not listed, but can be chosen by their exact names
// (never .git); a link is listed if it leads to a folder beneath the root.
func (r *Root) List(name string) ([]Entry, error) {
	return as(r, func() ([]Entry, error) { return r.list(name) })
}

func (r *Root) list(name string) ([]Entry, error) {
	_, real, err := r.resolve(name)
	if err != nil {
		return nil, err
	}
	names, err := r.folders(real, false)
	if err != nil {
		return nil, named(name, err)
	}
	slices.SortFunc(names, compareNatural)
	out := make([]Entry, len(names))
	for i, n := range names {
		_, err := r.follow(real, n+"/.git")
		out[i] = Entry{Name: n, Git: err == nil || errors.Is(err, ErrOutside)}
	}
	return out, nil
}

// folders names the folders in the real folder at.
func (r *Root) folders(at string, hidden bool) ([]string, error) {
	entries, err := readDir(r.fs, at)
	if err != nil {
		return nil, plain(err)
	}
	var names []string
	for _, e := range entries {
		name := e.Name()
		if isGitName(name) || (!hidden && strings.HasPrefix(name, ".")) {
			continue
		}
		switch {
		case e.IsDir():
			names = append(names, name)
		case e.Type()&fs.ModeSymlink != 0:
			if _, err := r.folder(path.Join(at, name)); err == nil {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// readDir reads a folder in batches and keeps folders and links only, so that a
// folder with a million files costs no memory.
func readDir(root *os.Root, at string) ([]fs.DirEntry, error) {
	f, err := root.Open(orDot(at))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []fs.DirEntry
	for {
		batch, err := f.ReadDir(readBatch)
		for _, e := range batch {
			if e.IsDir() || e.Type()&fs.ModeSymlink != 0 {
				out = append(out, e)
			}
		}
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func orDot(rel string) string {
	if rel == "" {
		return "."
	}
	return rel
}
