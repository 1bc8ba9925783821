package bootpart

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folders is a system whose partition is a folder, which a mount links to.
type folders struct {
	partition string
	mounted   string // where; empty: it is not
	wrote     bool   // the last mount could write
	fault     map[string]error
}

func (f *folders) find() (string, error) { return f.partition, f.fault["find"] }

func (f *folders) mount(device, dir string, write bool) error {
	if f.mounted != "" {
		return errors.New("mounted twice")
	}
	if err := f.fault["mount"]; err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil {
		return err
	}
	f.mounted, f.wrote = dir, write
	return os.Symlink(device, dir)
}

func (f *folders) unmount(dir string) error {
	if f.mounted != dir {
		return errors.New("not mounted")
	}
	if err := f.fault["unmount"]; err != nil {
		return err
	}
	f.mounted = ""
	return errors.Join(os.Remove(dir), os.Mkdir(dir, 0o700))
}

func fake(t *testing.T) (*Partition, *folders) {
	t.Helper()
	f := &folders{partition: t.TempDir(), fault: map[string]error{}}
	return &Partition{system: f, temp: t.TempDir()}, f
}

// gone checks that nothing is mounted and nothing left behind.
func gone(t *testing.T, p *Partition, f *folders) {
	t.Helper()
	left, err := os.ReadDir(p.temp)
	if err != nil || len(left) > 0 || f.mounted != "" {
		t.Errorf("left behind %v, mounted %q, %v", left, f.mounted, err)
	}
}

func TestPartitionIsMountedForEachCallAndOnlyWritesMayWrite(t *testing.T) {
	p, f := fake(t)
	if err := p.WriteFile("a.txt", []byte("hello")); err != nil || !f.wrote {
		t.Fatalf("write: %v", err)
	}
	gone(t, p, f)
	if data, err := p.ReadFile("a.txt"); err != nil || string(data) != "hello" || f.wrote {
		t.Errorf("read %q, %v; could write: %v", data, err, f.wrote)
	}
	gone(t, p, f)
	if err := p.Erase("a.txt"); err != nil || !f.wrote {
		t.Errorf("erase: %v", err)
	}
	gone(t, p, f)
	if _, err := p.ReadFile("a.txt"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	gone(t, p, f)
}

func TestFaultIsToldAndLeavesNothingMounted(t *testing.T) {
	for step, words := range map[string]string{"find": "no card", "mount": "mount the boot partition", "unmount": "unmount"} {
		t.Run(step, func(t *testing.T) {
			p, f := fake(t)
			if err := p.WriteFile("a.txt", nil); err != nil {
				t.Fatal(err)
			}
			f.fault[step] = errors.New("no card")
			if _, err := p.ReadFile("a.txt"); err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("read: %v", err)
			}
			if step == "unmount" { // its files must survive the tidying up
				if _, err := os.Stat(filepath.Join(f.partition, "a.txt")); err != nil {
					t.Error(err)
				}
				return
			}
			gone(t, p, f)
		})
	}
}

// sysfs makes the part of /sys that tells of a disk with two partitions.
func sysfs(t *testing.T, disk, first, second string) string {
	t.Helper()
	sys := t.TempDir()
	block := filepath.Join(sys, "devices/x/block", disk)
	for number, name := range map[string]string{"1": first, "2": second} {
		if err := os.MkdirAll(filepath.Join(block, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(block, name, "partition"), []byte(number+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(block, "queue"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(sys, "dev/block"), 0o755); err != nil {
		t.Fatal(err)
	}
	for numbers, target := range map[string]string{"179:0": disk, "179:2": filepath.Join(disk, second)} {
		if err := os.Symlink(filepath.Join("../../devices/x/block", target), filepath.Join(sys, "dev/block", numbers)); err != nil {
			t.Fatal(err)
		}
	}
	return sys
}

func TestBootPartitionIsTheFirstOfTheRootsDisk(t *testing.T) {
	for _, c := range [][3]string{{"mmcblk0", "mmcblk0p1", "mmcblk0p2"}, {"sda", "sda1", "sda2"}, {"nvme0n1", "nvme0n1p1", "nvme0n1p3"}} {
		if got, err := sibling(sysfs(t, c[0], c[1], c[2]), 179, 2, 1); err != nil || got != "/dev/"+c[1] {
			t.Errorf("%v: %q, %v", c, got, err)
		}
		if got, err := sibling(sysfs(t, c[0], c[1], c[2]), 179, 2, 2); err != nil || got != "/dev/"+c[2] {
			t.Errorf("%v: the second is %q, %v", c, got, err)
		}
	}
	sys := sysfs(t, "sda", "sda1", "sda2")
	if _, err := sibling(sys, 179, 0, 1); err == nil || !strings.Contains(err.Error(), "partition of a card") {
		t.Errorf("a whole disk: %v", err)
	}
	if _, err := sibling(sys, 8, 1, 1); err == nil {
		t.Error("an unknown device was found")
	}
	if err := os.RemoveAll(filepath.Join(sys, "devices/x/block/sda/sda1")); err != nil {
		t.Fatal(err)
	}
	if _, err := sibling(sys, 179, 2, 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a disk without a first partition: %v", err)
	}
}
