package privsep

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// ownThread starts f in a thread that is its goroutine's alone and never unlocked: the
// runtime ends such a thread with its goroutine. Only the first thread of a process it
// cannot end, and that one stands for the process where the kernel asks who may send
// it a signal. So it is held here until f has got another.
func ownThread(name string, f func(), lost func(error)) {
	guarded.Go(name, func() {
		runtime.LockOSThread()
		if unix.Gettid() != os.Getpid() {
			f()
			return
		}
		defer runtime.UnlockOSThread()
		done := make(chan struct{})
		ownThread(name, func() { f(); close(done) }, func(err error) { close(done); lost(err) })
		<-done
	}, lost)
}

// Open makes the user ready: its folder, its cgroup, and a trial of both ways to do
// something as the user. Programs that a former process left in the cgroup are ended.
// A folder or limits that cannot be had are no error: see Lacks.
func Open(o Options) (*User, error) {
	if o.ID <= 0 {
		return nil, ErrRoot
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	u := &User{id: o.ID, gid: o.ID, home: o.Home}
	for _, wall := range walls {
		if err := os.WriteFile(wall, []byte("1\n"), 0); err != nil {
			o.Log.Debug("a wall of the kernel is missing", "file", wall, "err", err)
		}
	}
	if err := u.makeHome(); err != nil {
		u.lacks = append(u.lacks, "the user has no home: "+err.Error())
		u.home = os.TempDir()
	}
	u.openGroup(o)
	err := errors.Join(u.Do(func() error { return nil }), Apart(u.become))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("become the user %d: %w", o.ID, err), u.Close())
	}
	return u, nil
}

// walls keep the user from tricks with links to what it may not open. The kernel's
// own default is to allow them (Documentation/admin-guide/sysctl/fs.rst).
var walls = []string{"/proc/sys/fs/protected_hardlinks", "/proc/sys/fs/protected_symlinks"}

// Close gives the cgroup up.
func (u *User) Close() error {
	if u == nil || u.cgroup == nil {
		return nil
	}
	return u.cgroup.Close()
}

func (u *User) makeHome() error {
	if u.home == "" {
		return errors.New("none is named")
	}
	if err := os.MkdirAll(u.home, 0o700); err != nil {
		return err
	}
	return u.Own(u.home)
}

// Prepare makes cmd one that runs as the user, for a caller that starts it in a thread
// of its own, after Drop. Others use Start.
func (u *User) Prepare(cmd *exec.Cmd) error {
	if u == nil {
		return nil
	}
	if u.refused != nil {
		return u.refused
	}
	cmd.Env = u.environment(cmd.Env)
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	// No further groups; and as no number of it is root's, the kernel takes the
	// capabilities away (capabilities(7)).
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(u.id), Gid: uint32(u.gid), Groups: []uint32{}}
	if u.cgroup != nil {
		cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, int(u.cgroup.Fd())
	}
	return nil
}

// Drop takes from the calling thread, and from what it starts, every way to gain
// rights. The goroutine must be locked to its thread and never be unlocked.
func Drop() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up new privileges: %w", err)
	}
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		// A kernel that does not know the capability answers EINVAL.
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil && !errors.Is(err, unix.EINVAL) {
			return fmt.Errorf("give up capability %d: %w", c, err)
		}
	}
	return nil
}

// become makes the calling thread the user altogether, as a program will be.
func (u *User) become() error {
	if err := Drop(); err != nil {
		return err
	}
	id, gid := uintptr(u.id), uintptr(u.gid)
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESGID, gid, gid, gid); errno != 0 {
		return fmt.Errorf("take the group: %w", errno)
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, id, id, id); errno != 0 {
		return fmt.Errorf("take the number: %w", errno)
	}
	return nil
}

// becomeForFiles makes the thread's file accesses those of the user. The process as a
// whole stays root's: the user can neither end the thread nor look into it, as it
// could if the thread's real number changed.
func (u *User) becomeForFiles() error {
	// The calls of package syscall change all threads; these change one.
	if _, _, errno := unix.RawSyscall(unix.SYS_SETGROUPS, 0, 0, 0); errno != 0 {
		return fmt.Errorf("give up the groups: %w", errno)
	}
	for call, id := range map[uintptr]int{unix.SYS_SETFSGID: u.gid, unix.SYS_SETFSUID: u.id} {
		_, _, _ = unix.RawSyscall(call, uintptr(id), 0, 0)
		// It tells the former number and no error; -1 changes nothing.
		if is, _, _ := unix.RawSyscall(call, ^uintptr(0), 0, 0); int(is) != id {
			return fmt.Errorf("take the user's rights to files: %w", unix.EPERM)
		}
	}
	return nil
}
