package workspace

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	maxLinks      = 40 // symbolic links in one path, as Linux has it
	maxComponents = 64 // folders in one path from a C64
)

// Folder is a folder beneath the root.
type Folder struct {
	Rel string // as the user names it, slash separated; empty is the root
	Abs string // the real path, links resolved
}

// Resolve finds the folder that a C64 asked for: path is relative to the root,
// in Unicode, and empty for the root itself. A component that is no exact name
// is matched against the names as a list shows them.
func (r *Root) Resolve(name string) (Folder, error) {
	rel, real, err := r.resolve(name)
	if err != nil {
		return Folder{}, err
	}
	return Folder{Rel: rel, Abs: r.abs(real)}, nil
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

// real resolves every link in rel. Links may be absolute as long as they stay
// beneath the root; os.Root alone would refuse those. What is returned holds no
// link at that moment, and every later use goes through os.Root again, so that
// a link that is swapped in afterwards is confined too.
func (r *Root) real(rel string) (string, error) { return r.follow("", rel) }

// follow resolves target, absolute or relative to the real folder base.
func (r *Root) follow(base, target string) (string, error) {
	at, todo, err := r.start(base, target)
	if err != nil {
		return "", err
	}
	links := 0
	for len(todo) > 0 {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if at == "" {
				return "", ErrOutside
			}
			if at = path.Dir(at); at == "." {
				at = ""
			}
			continue
		}
		next := path.Join(at, part)
		info, err := r.fs.Lstat(next)
		if err != nil {
			return "", plain(err)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		if links++; links > maxLinks {
			return "", ErrNotFound
		}
		link, err := r.fs.Readlink(next)
		if err != nil {
			return "", plain(err)
		}
		var more []string
		if at, more, err = r.start(at, filepath.ToSlash(link)); err != nil {
			return "", err
		}
		todo = append(more, todo...)
	}
	return at, nil
}

// start splits target into the real folder to begin at and the parts to go.
func (r *Root) start(base, target string) (string, []string, error) {
	if !path.IsAbs(target) {
		return base, strings.Split(target, "/"), nil
	}
	for _, dir := range []string{r.dir, r.alias} {
		dir = strings.TrimSuffix(filepath.ToSlash(dir), "/")
		if target == dir {
			return "", nil, nil
		}
		if rest, ok := strings.CutPrefix(target, dir+"/"); ok {
			return "", strings.Split(rest, "/"), nil
		}
	}
	return "", nil, ErrOutside
}

// plain turns an error of the file system into words without a path.
func plain(err error) error {
	var pe *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ErrNotFound
	case errors.Is(err, syscall.ENOTDIR):
		return ErrNotFolder
	case errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.ELOOP):
		return ErrNotFound
	case errors.As(err, &pe):
		if strings.Contains(pe.Err.Error(), "escapes") { // os.Root has no exported error for it
			return ErrOutside
		}
		return pe.Err
	}
	return err
}

// isGitName says that a name is git's own; case does not count, since some
// file systems do not tell the difference.
func isGitName(name string) bool { return strings.EqualFold(name, ".git") }
