package firstboot

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// run runs a tool, or skips the test where the machine cannot.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Skipf("this machine does not do %s %s: %v %s", name, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// mounted is a real ext4 on the last partition of a real disk, made as for a card of
// 40 MB and found on one of 96 MB.
func mounted(t *testing.T) (mount, device string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may make disks: run the tests as root to grow a real file system")
	}
	file := filepath.Join(t.TempDir(), "card")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, 40<<20); err != nil {
		t.Fatal(err)
	}
	run(t, "sgdisk", "-n", "1:2048:+1M", "-n", "2:0:+1M", "-n", "3:0:+1M", "-n", "4:0:0", file)
	if err := os.Truncate(file, 96<<20); err != nil {
		t.Fatal(err)
	}
	device = run(t, "losetup", "--partscan", "--find", "--show", file)
	t.Cleanup(func() {
		if out, err := exec.Command("losetup", "--detach", device).CombinedOutput(); err != nil {
			t.Errorf("losetup: %v %s", err, out)
		}
	})
	if _, err := os.Stat("/sys/class/block/" + filepath.Base(device) + "p4"); err != nil {
		run(t, "partx", "--add", "--nr", "4", device) // a kernel that reads no such tables
	}
	node(t, device+"p4")
	run(t, "mke2fs", "-q", "-t", "ext4", "-b", "4096", device+"p4")
	mount = t.TempDir()
	if err := unix.Mount(device+"p4", mount, "ext4", 0, ""); err != nil {
		t.Skipf("this machine mounts nothing: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(mount, 0); err != nil && !errors.Is(err, unix.EINVAL) {
			t.Error(err)
		}
	})
	return mount, device
}

// node makes a partition's device node where nobody else does.
func node(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); err == nil {
		return
	}
	var major, minor uint32
	b, err := os.ReadFile(filepath.Join("/sys/class/block", filepath.Base(path), "dev"))
	if _, scanErr := fmt.Sscanf(string(b), "%d:%d", &major, &minor); err != nil || scanErr != nil {
		t.Skipf("this machine has no partitions on loop devices: %v %v", err, scanErr)
	}
	if err := unix.Mknod(path, unix.S_IFBLK|0o600, int(unix.Mkdev(major, minor))); err != nil {
		t.Skipf("this machine makes no device nodes: %v", err)
	}
	t.Cleanup(func() { _ = os.Remove(path) })
}

func TestRealFileSystemGrowsWhileItIsInUse(t *testing.T) {
	mount, device := mounted(t)
	content := bytes.Repeat([]byte("keep me "), 100_000)
	if err := os.WriteFile(filepath.Join(mount, "file"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := Grow(Machine{}, mount)
	// Of the table and the kernel's idea of it nothing depends on what comes after.
	place, findErr := Machine{}.Find(mount)
	known, knownErr := Machine{}.Known(place)
	if findErr != nil || knownErr != nil || known*512 < 90<<20 {
		t.Errorf("the kernel knows %d sectors, %v, %v", known, findErr, knownErr)
	}
	noProblems(t, device)
	if errors.Is(err, unix.EPERM) {
		t.Skip("the partition has grown; the file system needs the capability CAP_SYS_RESOURCE, which this machine's root does not have")
	}
	if err != nil {
		t.Fatal(err)
	}
	if g.Before > 40<<20 || g.After < 88<<20 {
		t.Errorf("it grew from %d to %d", g.Before, g.After)
	}
	var st unix.Statfs_t
	if err := unix.Statfs(mount, &st); err != nil || st.Blocks*uint64(st.Bsize) < 80<<20 {
		t.Errorf("it has %d bytes, %v", st.Blocks*uint64(st.Bsize), err)
	}
	if again, err := Grow(Machine{}, mount); err != nil || again.Changed() {
		t.Errorf("the second time: %+v, %v", again, err)
	}
	if got, err := os.ReadFile(filepath.Join(mount, "file")); err != nil || !bytes.Equal(got, content) {
		t.Errorf("the file is another one, %v", err)
	}
	if err := unix.Unmount(mount, 0); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("e2fsck", "-fn", device+"p4").CombinedOutput(); err != nil {
		t.Errorf("e2fsck: %v\n%s", err, out)
	}
}

func noProblems(t *testing.T, device string) {
	t.Helper()
	if out, err := exec.Command("sgdisk", "-v", device).CombinedOutput(); err != nil || !strings.Contains(string(out), "No problems found") {
		t.Errorf("sgdisk: %v\n%s", err, out)
	}
}

func TestFolderThatIsNoMountIsNoCard(t *testing.T) {
	if _, err := Grow(Machine{}, t.TempDir()); !errors.Is(err, ErrNoCard) {
		t.Errorf("%v", err)
	}
	if _, err := superblock(make([]byte, 1024)); !errors.Is(err, ErrNoCard) {
		t.Errorf("%v", err)
	}
}
