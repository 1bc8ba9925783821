package privsep

import (
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"strings"
)

// Options say who the user is.
type Options struct {
	ID    int    // of the user and of its group; not root's
	Home  string // its folder, which Open makes
	Group string // a folder of cgroups, such as /sys/fs/cgroup; empty: none

	Memory int64 // bytes that all its programs may take; 0: no limit
	Tasks  int   // processes and threads that they may have; 0: no limit
	Log    *slog.Logger
}

// User runs what is not trusted. The nil *User is whoever runs this program.
type User struct {
	id, gid int
	home    string
	cgroup  *os.File // nil: there is none
	lacks   []string
	refused error // nil: it works
}

// ErrRoot is a user that would have all rights.
var ErrRoot = errors.New("the user without rights cannot be root")

// Refusing is a user for whom nothing is done, for the reason err: where programs
// cannot be kept apart they do not run.
func Refusing(err error) *User { return &User{refused: err} }

// Lacks says in words which limits this system does not set.
func (u *User) Lacks() []string {
	if u == nil {
		return nil
	}
	return u.lacks
}

// Home is the user's folder, empty for the nil User.
func (u *User) Home() string {
	if u == nil {
		return ""
	}
	return u.home
}

// Inspector is the same user for programs whose work the others must not change: it
// has a group of its own, so that the kernel lets nobody else look into them, and
// what is in a folder for this group alone (see PrivateFolder) is out of reach.
func (u *User) Inspector() *User {
	if u == nil {
		return nil
	}
	other := *u
	other.gid++
	return &other
}

// Start starts a program as the user, in the place of cmd.Start.
func (u *User) Start(cmd *exec.Cmd) error {
	if u == nil {
		return cmd.Start()
	}
	if err := u.Prepare(cmd); err != nil {
		return err
	}
	return Apart(func() error {
		if err := Drop(); err != nil {
			return err
		}
		return cmd.Start()
	})
}

// Run is Start, and waits for the end.
func (u *User) Run(cmd *exec.Cmd) error {
	if err := u.Start(cmd); err != nil {
		return err
	}
	return cmd.Wait()
}

// Do calls f with the user's access to files and no more. f must do all of it in the
// goroutine that it is called in.
func (u *User) Do(f func() error) error {
	if u == nil {
		return f()
	}
	if u.refused != nil {
		return u.refused
	}
	return Apart(func() error {
		if err := u.becomeForFiles(); err != nil {
			return err
		}
		return f()
	})
}

// environment is env with the user's home and names in the place of ours. A home that
// the caller chose for the program stays.
func (u *User) environment(env []string) []string {
	if env == nil {
		env = os.Environ()
	}
	out := make([]string, 0, len(env))
	for _, pair := range env {
		name, value, _ := strings.Cut(pair, "=")
		switch {
		case name == "HOME" && value == os.Getenv("HOME"):
			pair = "HOME=" + u.home
		case name == "USER", name == "LOGNAME":
			pair = name + "=agent"
		}
		out = append(out, pair)
	}
	return out
}

// Apart calls f in a thread that ends with it, so that what is given up there is
// given up there alone. A panic of f is its error.
func Apart(f func() error) error {
	done := make(chan error, 1)
	ownThread("thread apart", func() { done <- f() }, func(err error) { done <- err })
	return <-done
}
