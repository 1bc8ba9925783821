package workspace

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strings"
)

const maxSymref = 5 // refs that name another ref, one after the other

// head is what HEAD says.
type head struct {
	ref    string // the ref that it names, empty if detached
	commit string // object id in hexadecimal, empty before the first commit
}

// head reads HEAD and follows it to a commit.
func (r *Root) head(repo *repository) (head, error) {
	text, err := r.readRef(repo.dir, "HEAD")
	if err != nil {
		return head{}, fmt.Errorf("HEAD: %w", err)
	}
	var h head
	for range maxSymref {
		ref, symbolic := strings.CutPrefix(text, "ref:")
		if !symbolic {
			if !isObjectID(text) {
				return head{}, fmt.Errorf("HEAD: %w", ErrDamaged)
			}
			h.commit = text
			return h, nil
		}
		ref = strings.TrimSpace(ref)
		if !strings.HasPrefix(ref, "refs/") || !validPath(ref) {
			return head{}, fmt.Errorf("HEAD: %w", ErrDamaged)
		}
		if h.ref == "" {
			h.ref = ref
		}
		if text, err = r.lookUp(repo, ref); err != nil || text == "" {
			return h, err
		}
	}
	return head{}, fmt.Errorf("HEAD: %w", ErrDamaged)
}

// readRef reads a loose ref. Old versions of git made HEAD a link to the ref.
func (r *Root) readRef(dir, name string) (string, error) {
	full := path.Join(dir, name)
	if link, err := r.fs.Readlink(full); err == nil && strings.HasPrefix(link, "refs/") {
		return "ref: " + link, nil
	}
	text, err := r.readFile(full, maxPointer)
	if errors.Is(err, ErrOutside) {
		err = ErrUnsafe
	}
	return strings.TrimSpace(string(text)), err
}

// lookUp gives what a ref holds, empty if there is no such ref.
func (r *Root) lookUp(repo *repository, ref string) (string, error) {
	dir := repo.common
	for _, own := range []string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
		if strings.HasPrefix(ref, own) {
			dir = repo.dir
		}
	}
	text, err := r.readRef(dir, ref)
	if err == nil {
		return text, nil
	}
	if !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrNotFolder) && !errors.Is(err, errNotRegular) {
		return "", fmt.Errorf("branch: %w", err)
	}
	return r.packedRef(repo, ref)
}

func (r *Root) packedRef(repo *repository, ref string) (string, error) {
	real, err := r.real(path.Join(repo.common, "packed-refs"))
	if errors.Is(err, ErrOutside) {
		return "", fmt.Errorf("branch: %w", ErrUnsafe)
	}
	if err != nil {
		return "", nil
	}
	f, _, err := openRegular(r.fs, real)
	if err != nil {
		return "", fmt.Errorf("branch: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if id, name, ok := strings.Cut(lines.Text(), " "); ok && name == ref && isObjectID(id) {
			return id, nil
		}
	}
	return "", nil
}

// isObjectID says that s is a whole object id, of SHA-1 or SHA-256.
func isObjectID(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	_, err := hex.DecodeString(s)
	return err == nil
}

// branch names what is checked out, with what git is in the middle of.
func (r *Root) branch(repo *repository, h head) string {
	name := shortRef(h.ref)
	operation := r.operation(repo)
	switch {
	case name == "" && operation == "rebasing" && r.rebased(repo) != "":
		name = r.rebased(repo)
	case name == "":
		name = "detached at " + h.commit[:7]
	case h.commit == "":
		name += " (no commits yet)"
	}
	if operation != "" {
		name += " (" + operation + ")"
	}
	return name
}

// rawID gives the bytes of an object id in hexadecimal.
func rawID(id string) string {
	raw, _ := hex.DecodeString(id)
	return string(raw)
}

func isHex(s string) bool {
	_, err := hex.DecodeString(s)
	return err == nil
}
