package firstboot

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// file makes a device of a file, filled with a letter at its begin.
func file(t *testing.T, size int64) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "device")
	if err := os.WriteFile(name, bytes.Repeat([]byte("x"), 3*PermBlock), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, size); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestStartOfADeviceIsOverwrittenAndNoMore(t *testing.T) {
	name := file(t, 1<<20)
	if err := overwriteStart(name); errors.Is(err, unix.EINVAL) {
		t.Skipf("the file system of temporary files knows no O_DIRECT: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got[:PermBlock], make([]byte, PermBlock)) || strings.Trim(string(got[PermBlock:3*PermBlock]), "x") != "" {
		t.Error("the first block is not zeros, or the next ones are")
	}
	if err := overwriteStart(name + "-gone"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of what is not there: %v", err)
	}
}

func TestFormatMakesAFileSystemThatOthersTake(t *testing.T) {
	if _, err := os.Stat(formatter); err != nil {
		t.Skipf("there is no mke2fs: %v", err)
	}
	name := file(t, 256<<20)
	if err := (Machine{}).Format(Place{Device: name}); err != nil {
		t.Fatal(err)
	}
	fs, err := Machine{}.Filesystem(Place{Device: name})
	if err != nil || fs.BlockSize != PermBlock || fs.Bytes() != 256<<20 {
		t.Errorf("%+v, %v", fs, err)
	}
	if out, err := exec.Command("/sbin/e2fsck", "-fn", name).CombinedOutput(); err != nil {
		t.Errorf("e2fsck: %v\n%s", err, out)
	}
	if err := (Machine{}).Format(Place{Device: name + "-gone"}); err == nil || !strings.Contains(err.Error(), "mke2fs") {
		t.Errorf("of what is not there: %v", err)
	}
}

// What mke2fs writes takes a slow card its time, and the inodes of a large card would be
// most of it.
func TestFormatWritesLittleHoweverLargeTheCard(t *testing.T) {
	if _, err := os.Stat(formatter); err != nil {
		t.Skipf("there is no mke2fs: %v", err)
	}
	name := file(t, 16<<30)
	if err := (Machine{}).Format(Place{Device: name}); err != nil {
		t.Fatal(err)
	}
	var st unix.Stat_t
	if err := unix.Stat(name, &st); err != nil || st.Blocks*512 > 64<<20 {
		t.Errorf("it wrote %d MB, %v", st.Blocks*512/1e6, err)
	}
	// mke2fs would know by itself on a computer that it takes for a new one.
	if args := strings.Join(FormatArguments(), " "); !strings.Contains(args, "lazy_itable_init=1") || !strings.Contains(args, "nodiscard") {
		t.Errorf("mke2fs is told %s", args)
	}
}

// A computer that tests must never be taken for a device whose /perm is to be erased.
func TestComputerIsNoCard(t *testing.T) {
	if _, err := (Machine{}).Card("/perm"); !errors.Is(err, ErrNoCard) {
		t.Errorf("%v", err)
	}
	if words := Damage(Machine{}, "/perm"); words != "" {
		t.Errorf("it says %q", words)
	}
}

func TestConditionTellsAMountFromAFolder(t *testing.T) {
	if c, err := (Machine{}).Condition(Place{Mount: t.TempDir(), Device: "/dev/none"}); err != nil || c != (Condition{}) {
		t.Errorf("a folder: %+v, %v", c, err)
	}
	if c, err := (Machine{}).Condition(Place{Mount: "/proc", Device: "/dev/none"}); err != nil || c != (Condition{Mounted: true}) {
		t.Errorf("a mount: %+v, %v", c, err)
	}
	if _, err := (Machine{}).Condition(Place{Mount: filepath.Join(t.TempDir(), "none"), Device: "/dev/none"}); err == nil {
		t.Error("the condition of what is not there is known")
	}
}
