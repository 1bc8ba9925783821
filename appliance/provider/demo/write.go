package demo

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/prompt64/prompt64/frames"
)

// maxOldFile is the largest file whose content is compared, in bytes.
const maxOldFile = 1 << 20

// errMoved is a file that is not what the user saw any more.
var errMoved = errors.New("the file has changed since you were asked; try again")

// write asks for, and does, a change of one file.
func (t *turn) write(args string) error {
	name, text, err := writeArgs(args)
	if err != nil {
		return err
	}
	end, err := t.activity("write " + quoteArg(name))
	if err != nil {
		return err
	}
	words, ok, err := t.changeFile(name, text+"\n")
	end(ok)
	if err != nil {
		return err
	}
	return t.sayWords(words)
}

// changeFile does the work of write; words say what came of it.
func (t *turn) changeFile(name, content string) (words string, ok bool, err error) {
	var change *change
	user := t.s.p.cfg.User
	err = user.Do(func() (err error) {
		change, err = planChange(t.s.spec.Workspace, name, content)
		return err
	})
	if err != nil {
		return fmt.Sprintf("I cannot write `%s`: %s.", name, plainError(err)), false, nil
	}
	detail, added, deleted := change.diff()
	summary := fmt.Sprintf("Write %s (+%d -%d)", quoteArg(name), added, deleted)
	v, err := t.permit(frames.KindFile, summary, detail)
	switch {
	case err != nil:
		return "", false, err
	case v == refused:
		return fmt.Sprintf("I may not write `%s`: access is read only.", name), false, nil
	case v == declined:
		return fmt.Sprintf("You declined, so I did not write `%s`.", name), false, nil
	}
	if err := user.Do(func() error { return change.apply(t.s.spec.Workspace) }); err != nil {
		return fmt.Sprintf("I could not write `%s`: %s.", name, plainError(err)), false, nil
	}
	return fmt.Sprintf("I wrote `%s` (%d bytes).", name, len(content)), true, nil
}

// writeArgs splits PATH, which may be quoted, from TEXT, which is taken as it is.
func writeArgs(args string) (name, text string, err error) {
	args = strings.TrimLeft(args, " \t\n")
	if args == "" {
		return "", "", errUsage
	}
	name, rest, err := nextArg(args)
	if err != nil || name == "" || len(rest) < 2 {
		return "", "", errUsage
	}
	return name, rest[1:], nil
}

// change is a file's new content, and the old one that the user decides on.
type change struct {
	name    string
	content []byte
	old     []byte
	exists  bool
	size    int64
	mode    fs.FileMode
}

// planChange looks at the file that would be written.
func planChange(workspace, name, content string) (*change, error) {
	if strings.HasSuffix(name, "/") {
		return nil, errors.New("that names a folder")
	}
	root, err := openFolder(workspace)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	c := &change{name: filepath.Clean(name), content: []byte(content), mode: 0o644}
	return c, c.look(root)
}

// look reads the present content.
func (c *change) look(root *os.Root) error {
	info, err := root.Lstat(c.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		// To replace the link would surprise, and so would to follow it.
		return errors.New("it is a symbolic link; name the file itself")
	case info.IsDir():
		return errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return errors.New("it is no regular file")
	}
	f, err := root.Open(c.name)
	if err != nil {
		return err
	}
	defer f.Close()
	c.exists, c.mode, c.size = true, info.Mode().Perm(), info.Size()
	c.old, err = io.ReadAll(io.LimitReader(f, maxOldFile+1))
	return err
}

// apply writes the file, whole or not at all, unless it is not the one that the
// user saw.
func (c *change) apply(workspace string) error {
	root, err := openFolder(workspace)
	if err != nil {
		return err
	}
	defer root.Close()
	now := &change{name: c.name}
	if err := now.look(root); err != nil {
		return err
	}
	if now.exists != c.exists || now.size != c.size || !bytes.Equal(now.old, c.old) {
		return errMoved
	}
	dir := filepath.Dir(c.name)
	if err := root.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return c.replace(root, dir)
}

// replace puts the new content in the place of the old one by one rename, within
// the root. renameio cannot be confined to one.
func (c *change) replace(root *os.Root, dir string) (err error) {
	var random [6]byte
	_, _ = rand.Read(random[:]) // never fails
	temp := path.Join(dir, ".prompt64-"+hex.EncodeToString(random[:]))
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, c.mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = root.Remove(temp)
		}
	}()
	_, err = f.Write(c.content)
	if err == nil && c.exists {
		err = f.Chmod(c.mode) // the umask does not apply to what was there
	}
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return root.Rename(temp, c.name)
}

// plainError is an error in a user's words: without the operation and the path
// that the sentence around it names already.
func plainError(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	var linkErr *os.LinkError
	if errors.As(err, &linkErr) {
		err = linkErr.Err
	}
	if strings.Contains(err.Error(), "escapes from parent") {
		return "it leads outside of the workspace"
	}
	return err.Error()
}
