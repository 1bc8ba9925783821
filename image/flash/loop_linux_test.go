package flash_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/prompt64/prompt64/image/flash"
)

// loop makes a disk of a file.
func loop(t *testing.T, size int64) (device, file string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may make loop devices: run the tests as root to write a real disk")
	}
	file = filepath.Join(t.TempDir(), "disk")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("losetup", "--find", "--show", file).CombinedOutput()
	if err != nil {
		t.Skipf("this machine makes no loop devices: %v %s", err, out)
	}
	device = strings.TrimSpace(string(out))
	t.Cleanup(func() {
		if out, err := exec.Command("losetup", "--detach", device).CombinedOutput(); err != nil {
			t.Errorf("losetup: %v %s", err, out)
		}
	})
	return device, file
}

func TestRealDiskIsWrittenPastTheCache(t *testing.T) {
	device, file := loop(t, 32<<20)
	want := cardImage(20)
	image := looked(t, want)
	disk, err := flash.Inspect(device)
	if err != nil || disk.Size != 32<<20 || disk.File {
		t.Fatalf("%+v, %v", disk, err)
	}
	if err := disk.Refusal(image.Size, flash.Allow{}); err == nil {
		t.Error("a disk that is not removable was taken")
	}
	if err := disk.Refusal(image.Size, flash.Allow{Internal: true}); err != nil {
		t.Error(err)
	}
	d, err := flash.Open(disk)
	if err != nil {
		t.Fatal(err)
	}
	state, err := write(t.Context(), image, d)
	if err != nil || state != flash.Good {
		t.Errorf("%s, %v", state, err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	got, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got[:imageSize], want) {
		t.Errorf("what arrived is something else, %v", err)
	}
}

func TestMountedDiskIsSeenAndNotOpened(t *testing.T) {
	device, _ := loop(t, 32<<20)
	if out, err := exec.Command("mke2fs", "-q", device).CombinedOutput(); err != nil {
		t.Skipf("there is no mke2fs: %v %s", err, out)
	}
	at := t.TempDir()
	if err := unix.Mount(device, at, "ext4", unix.MS_RDONLY, ""); err != nil {
		t.Skipf("this machine mounts nothing: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(at, 0); err != nil {
			t.Error(err)
		}
	})
	disk, err := flash.Inspect(device)
	if err != nil || len(disk.Mounted) != 1 || disk.Mounted[0] != at {
		t.Fatalf("%+v, %v", disk, err)
	}
	if err := disk.Refusal(0, flash.Allow{Internal: true}); err == nil || !strings.Contains(err.Error(), at) {
		t.Errorf("%v", err)
	}
	if d, err := flash.Open(disk); err == nil {
		t.Error("it was opened although it is mounted")
		_ = d.Close()
	}
}
