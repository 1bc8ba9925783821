package privsep

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Own gives a folder with everything in it to the user, unless it has it already. The
// folder itself comes last: one that was left half done is done again. No program of
// the user may run in it meanwhile.
func (u *User) Own(dir string) error {
	if u == nil {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("give a folder to the user: %w", err)
	}
	defer root.Close()
	f, err := root.Open(".")
	if err != nil {
		return fmt.Errorf("give a folder to the user: %w", err)
	}
	defer f.Close()
	if u.has(f) {
		return nil
	}
	if err := u.ownAll(root, f); err != nil {
		return fmt.Errorf("give %s to the user: %w", dir, err)
	}
	return nil
}

func (u *User) has(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == u.id
}

// ownAll gives away what is in the folder f of root, then f.
func (u *User) ownAll(root *os.Root, f *os.File) error {
	entries, err := f.ReadDir(-1)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := u.ownOne(root, e); err != nil {
			return err
		}
	}
	return f.Chown(u.id, u.gid)
}

func (u *User) ownOne(root *os.Root, e os.DirEntry) error {
	if e.IsDir() {
		sub, err := root.OpenRoot(e.Name())
		if err != nil {
			return err
		}
		defer sub.Close()
		f, err := sub.Open(".")
		if err != nil {
			return err
		}
		defer f.Close()
		return u.ownAll(sub, f)
	}
	f, err := root.OpenFile(e.Name(), unix.O_PATH|unix.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); !ok || st.Nlink > 1 && info.Mode().IsRegular() && int(st.Uid) != u.id {
		// Under another name it may be what only root may read.
		return nil
	}
	err = unix.Fchownat(int(f.Fd()), "", u.id, u.gid, unix.AT_EMPTY_PATH)
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	return err
}

// PrivateFolder makes a temporary folder that nobody but the processes of this User
// can enter, not even other ones of the same number: see Inspector. Whoever asked for
// it removes it. It is empty for the nil User.
func (u *User) PrivateFolder() (string, error) {
	if u == nil {
		return "", nil
	}
	dir, err := os.MkdirTemp("", "prompt64-private-")
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.Chown(dir, 0, u.gid), os.Chmod(dir, 0o770)); err != nil {
		return "", errors.Join(err, os.Remove(dir))
	}
	return dir, nil
}
