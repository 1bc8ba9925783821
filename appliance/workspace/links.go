package workspace

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

const maxLinks = 40 // symbolic links in one path, as Linux has it

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
