package workspace

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/prompt64/prompt64/appliance/privsep"
)

// Rights of Landlock, by the version of its interface that brought them.
const (
	rightExecute   = unix.LANDLOCK_ACCESS_FS_EXECUTE
	rightReadFile  = unix.LANDLOCK_ACCESS_FS_READ_FILE
	rightWriteFile = unix.LANDLOCK_ACCESS_FS_WRITE_FILE
	rightRead      = rightReadFile | unix.LANDLOCK_ACCESS_FS_READ_DIR
	rightsOf1      = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1
	rightsOf2      = rightsOf1 | unix.LANDLOCK_ACCESS_FS_REFER
	rightsOf3      = rightsOf2 | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	netOf4         = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
)

// libraries is where the shared libraries of git and the loader's cache lie.
var libraries = []string{"/usr", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store", "/etc/ld.so.cache", "/etc/ld.so.preload", "/dev/urandom"}

// errNoLandlock says that the kernel, or whoever runs us, does not offer it.
var errNoLandlock = errors.New("no landlock")

// startConfined starts git so that the kernel holds it to its box: it can read
// the box, the object stores and the system's libraries, write the box alone,
// run nothing but itself, and open no connection. What was checked before can
// thus not be swapped afterwards.
//
// Landlock binds a thread and what that thread starts. So a thread is made for
// the start alone.
func (b *box) startConfined(cmd *exec.Cmd) error {
	loader, err := loaderOf(cmd.Path)
	if err != nil {
		return err
	}
	if err := b.user.Prepare(cmd); err != nil {
		return err
	}
	return privsep.Apart(func() error {
		if err := b.confineThread(cmd.Path, loader); err != nil {
			return err
		}
		if b.user != nil {
			if err := privsep.Drop(); err != nil {
				return err
			}
		}
		return cmd.Start()
	})
}

// loaderOf reads which program loads the shared libraries of git; none if it is
// static. A git that is a script cannot be confined: it runs others.
func loaderOf(program string) (string, error) {
	f, err := elf.Open(program)
	if err != nil {
		return "", errNoLandlock
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			name, err := io.ReadAll(io.LimitReader(p.Open(), 4096))
			return strings.TrimRight(string(name), "\x00"), err
		}
	}
	return "", nil
}

type rulesetAttr struct{ fs, net uint64 }

// confineThread gives up the calling thread's rights for good.
func (b *box) confineThread(program, loader string) error {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return errNoLandlock
	}
	attr, size := rulesetAttr{fs: rightsOf1}, uintptr(8)
	if version >= 2 {
		attr.fs = rightsOf2
	}
	if version >= 3 {
		attr.fs = rightsOf3
	}
	if version >= 4 {
		attr.net, size = netOf4, 16
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return errNoLandlock
	}
	defer unix.Close(int(fd))
	if err := b.allow(int(fd), attr.fs, program, loader); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("confine git: %w", err)
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return fmt.Errorf("confine git: %w", errno)
	}
	return nil
}

func (b *box) allow(ruleset int, all uint64, program, loader string) error {
	if err := allowPath(ruleset, b.dir, all&^rightExecute); err != nil {
		return err
	}
	for _, store := range b.stores {
		if err := allowFile(ruleset, int(store.Fd()), rightRead); err != nil {
			return err
		}
	}
	for _, dir := range libraries {
		if err := allowPath(ruleset, dir, rightRead); err != nil && !errors.Is(err, unix.ENOENT) {
			return err
		}
	}
	if err := allowPath(ruleset, "/dev/null", rightReadFile|rightWriteFile); err != nil {
		return err
	}
	for _, file := range []string{program, loader} {
		if file == "" {
			continue
		}
		if err := allowPath(ruleset, file, rightExecute|rightReadFile); err != nil {
			return err
		}
	}
	return nil
}

// allowPath adds a rule for what lies at and beneath path.
func allowPath(ruleset int, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("confine git: %w", err)
	}
	defer unix.Close(fd)
	return allowFile(ruleset, fd, rights)
}

func allowFile(ruleset, fd int, rights uint64) error {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return fmt.Errorf("confine git: %w", err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= rightExecute | rightReadFile | rightWriteFile
	}
	// The kernel's structure is packed: 64 bits of rights, 32 of descriptor.
	rule := struct {
		rights uint64
		fd     int32
	}{rights, int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("confine git: %w", errno)
	}
	return nil
}
