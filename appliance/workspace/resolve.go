package workspace

import (
	"errors"
	"path"
	"path/filepath"
	"strings"
)

const maxComponents = 64 // folders in one path from a C64

// Folder is a folder beneath the root.
type Folder struct {
	Rel string // as the user names it, slash separated; empty is the root
	Abs string // the real path, links resolved
}

// Resolve finds the folder that a C64 asked for: path is relative to the root,
// in Unicode, and empty for the root itself. A component that is no exact name
// is matched against the names as a list shows them.
func (r *Root) Resolve(name string) (Folder, error) {
	return as(r, func() (Folder, error) {
		rel, real, err := r.resolve(name)
		if err != nil {
			return Folder{}, err
		}
		return Folder{Rel: rel, Abs: r.abs(real)}, nil
	})
}

func (r *Root) abs(real string) string { return filepath.Join(r.dir, filepath.FromSlash(real)) }

// resolve gives the path in the user's names and the real one, both relative.
func (r *Root) resolve(name string) (rel, real string, err error) {
	if strings.HasPrefix(name, "/") {
		return "", "", named(name, ErrOutside)
	}
	parts := strings.Split(name, "/")
	if len(parts) > maxComponents {
		return "", "", named(name, ErrNotFound)
	}
	for _, part := range parts {
		if part == "" || part == "." {
			continue
		}
		found, next, err := r.step(real, part)
		if err != nil {
			return "", "", named(part, err)
		}
		rel, real = path.Join(rel, found), next
	}
	return rel, real, nil
}

// step goes from the real folder at into the folder that part names.
func (r *Root) step(at, part string) (found, real string, err error) {
	if part == ".." {
		return "", "", ErrOutside
	}
	if isGitName(part) || strings.ContainsRune(part, 0) {
		return "", "", ErrNotFound
	}
	real, err = r.folder(path.Join(at, part))
	if err == nil || !errors.Is(err, ErrNotFound) {
		return part, real, err
	}
	found, err = r.match(at, part)
	if err != nil {
		return "", "", err
	}
	real, err = r.folder(path.Join(at, found))
	return found, real, err
}

// match finds the one folder whose shown name is that of part.
func (r *Root) match(at, part string) (string, error) {
	names, err := r.folders(at, true)
	if err != nil {
		return "", err
	}
	found := ""
	for _, name := range names {
		if !looksLike(name, part) {
			continue
		}
		if found != "" {
			return "", ErrAmbiguous
		}
		found = name
	}
	if found == "" {
		return "", ErrNotFound
	}
	return found, nil
}

// folder is the real path of rel, which must be a folder beneath the root.
func (r *Root) folder(rel string) (string, error) {
	real, err := r.real(rel)
	if err != nil {
		return "", err
	}
	if real == "" {
		return "", nil
	}
	info, err := r.fs.Lstat(real)
	if err != nil {
		return "", plain(err)
	}
	if !info.IsDir() {
		return "", ErrNotFolder
	}
	return real, nil
}

// isGitName says that a name is git's own; case does not count, since some
// file systems do not tell the difference.
func isGitName(name string) bool { return strings.EqualFold(name, ".git") }
