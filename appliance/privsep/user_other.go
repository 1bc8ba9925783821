//go:build !linux

package privsep

import (
	"errors"
	"os/exec"

	"github.com/prompt64/prompt64/appliance/guarded"
)

var errOther = errors.New("only Linux keeps programs apart")

func ownThread(name string, f func(), lost func(error)) { guarded.Go(name, f, lost) }

// Open has no user to offer on this system.
func Open(Options) (*User, error) { return nil, errOther }

// Close does nothing.
func (u *User) Close() error { return nil }

// Prepare does nothing for the nil User, the only one here.
func (u *User) Prepare(*exec.Cmd) error {
	if u == nil {
		return nil
	}
	return u.refused
}

// Drop drops nothing.
func Drop() error { return errOther }

func (u *User) becomeForFiles() error { return errOther }

// Own does nothing for the nil User.
func (u *User) Own(string) error {
	if u == nil {
		return nil
	}
	return u.refused
}

// PrivateFolder has none to offer.
func (u *User) PrivateFolder() (string, error) { return "", nil }

// Memory is not known.
func Memory() int64 { return 0 }
