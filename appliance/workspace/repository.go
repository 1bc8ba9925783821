package workspace

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// repository is where the parts of a git repository lie: real paths relative to
// the root, all of them beneath it.
type repository struct {
	top    string // the work tree
	dir    string // HEAD, the index, the state of a merge
	common string // refs, objects, the configuration
}

const maxPointer = 16 * 1024 // bytes of a .git file, a commondir, a loose ref

// repository finds the nearest repository at or above the real folder at. The
// work tree is always the folder that holds .git: core.worktree is not heeded,
// and a folder that merely looks like a bare repository is none.
func (r *Root) repository(at string) (*repository, error) {
	for {
		repo, err := r.repositoryAt(at)
		if err == nil || !errors.Is(err, ErrNoRepository) {
			return repo, err
		}
		if at == "" {
			return nil, ErrNoRepository
		}
		if at = path.Dir(at); at == "." {
			at = ""
		}
	}
}

// repositoryAt looks at the folder at alone.
func (r *Root) repositoryAt(at string) (*repository, error) {
	dotGit := path.Join(at, ".git")
	if _, err := r.fs.Lstat(dotGit); err != nil {
		return nil, ErrNoRepository
	}
	real, err := r.inGit(at, ".git")
	if err != nil {
		return nil, err
	}
	info, err := r.fs.Lstat(real)
	if err != nil {
		return nil, fmt.Errorf(".git: %w", plain(err))
	}
	pointed := !info.IsDir()
	if pointed {
		text, err := r.readFile(real, maxPointer)
		if err != nil {
			return nil, fmt.Errorf(".git: %w", err)
		}
		target, ok := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), "gitdir: ")
		if !ok {
			return nil, ErrDamaged
		}
		if real, err = r.inGit(at, target); err != nil {
			return nil, err
		}
	}
	repo := &repository{top: at, dir: real, common: real}
	if text, err := r.readFile(path.Join(real, "commondir"), maxPointer); err == nil {
		if repo.common, err = r.inGit(real, strings.TrimRight(string(text), "\r\n")); err != nil {
			return nil, err
		}
	}
	if !r.isGitDir(repo) {
		if pointed {
			return nil, ErrDamaged
		}
		return nil, ErrNoRepository
	}
	return repo, nil
}

// inGit follows a path that a repository gives, and says in git's words when it
// leads out.
func (r *Root) inGit(base, target string) (string, error) {
	real, err := r.follow(base, target)
	switch {
	case errors.Is(err, ErrOutside):
		return "", ErrUnsafe
	case err != nil:
		return "", fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return real, nil
}

func (r *Root) isGitDir(repo *repository) bool {
	head, err := r.fs.Lstat(path.Join(repo.dir, "HEAD"))
	if err != nil || head.IsDir() {
		return false
	}
	objects, err := r.real(path.Join(repo.common, "objects"))
	if err != nil {
		return errors.Is(err, ErrOutside) // said later, in better words
	}
	info, err := r.fs.Lstat(objects)
	return err == nil && info.IsDir()
}

// operation names what git is in the middle of, empty if nothing.
func (r *Root) operation(repo *repository) string {
	for _, o := range []struct{ file, word string }{
		{"rebase-merge", "rebasing"},
		{"rebase-apply", "rebasing"},
		{"MERGE_HEAD", "merging"},
		{"CHERRY_PICK_HEAD", "cherry-picking"},
		{"REVERT_HEAD", "reverting"},
		{"BISECT_LOG", "bisecting"},
	} {
		if _, err := r.fs.Lstat(path.Join(repo.dir, o.file)); err == nil {
			return o.word
		}
	}
	return ""
}

// rebased is the name of the branch that a rebase is at work on.
func (r *Root) rebased(repo *repository) string {
	for _, dir := range []string{"rebase-merge", "rebase-apply"} {
		text, err := r.readFile(path.Join(repo.dir, dir, "head-name"), maxPointer)
		if err == nil {
			return shortRef(strings.TrimSpace(string(text)))
		}
	}
	return ""
}

func shortRef(name string) string { return strings.TrimPrefix(name, "refs/heads/") }
