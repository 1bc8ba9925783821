package bootpart

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// The kernel's own mounting, on a file system in a file. Kernels of test machines
// often lack FAT, so ext4 stands in: what differs is the name alone.
func TestMountingForReal(t *testing.T) {
	image := filepath.Join(t.TempDir(), "image")
	if err := os.WriteFile(image, make([]byte, 4<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfs.ext4", "-q", "-F", image).CombinedOutput(); err != nil {
		t.Skipf("no mkfs.ext4 that works: %v %s", err, out)
	}
	out, err := exec.Command("losetup", "--find", "--show", image).Output()
	if err != nil {
		t.Skipf("no loop device here: %v", err)
	}
	loop := strings.TrimSpace(string(out))
	defer func() {
		if out, err := exec.Command("losetup", "--detach", loop).CombinedOutput(); err != nil {
			t.Errorf("%v %s", err, out)
		}
	}()
	p := &Partition{system: looped{linux{fstype: "ext4"}, loop}, temp: t.TempDir()}
	if err := p.WriteFile("a.txt", []byte("hello")); errors.Is(err, unix.EPERM) {
		t.Skip("mounting is not permitted here")
	} else if err != nil {
		t.Fatal(err)
	}
	if data, err := p.ReadFile("a.txt"); err != nil || string(data) != "hello" {
		t.Errorf("read %q, %v", data, err)
	}
	err = p.With(false, func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "b.txt"), nil, 0o600)
	})
	if !errors.Is(err, unix.EROFS) {
		t.Errorf("a write while it is mounted to be read: %v", err)
	}
	if err := p.Erase("a.txt"); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(p.temp); err != nil || len(left) > 0 {
		t.Errorf("left behind %v, %v", left, err)
	}
}

// looped is the real system with another partition.
type looped struct {
	linux
	device string
}

func (l looped) find() (string, error) { return l.device, nil }
