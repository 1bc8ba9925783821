//go:build linux

package card

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/appliance/update"
)

// folder is a boot partition that is a folder.
type folder string

func (f folder) With(_ bool, do func(dir string) error) error { return do(string(f)) }

// What gokrazy's packer writes: the command line, and blanks for flags.
const line = "console=tty1 root=PARTUUID=60c24cc1-f3f9-427a-8199-e05dd6790001/PARTNROFF=1 init=/gokrazy/init rootwait panic=10"

var blanks = strings.Repeat(" ", 64)

// newCard is a card in a folder, whose first root runs.
func newCard(t *testing.T) *Card {
	t.Helper()
	root := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(AboutFile, `{"board": "rpi", "version": "v1.2.3", "minimum": "v1.0.0"}`)
	put(GuardFile, "a guard")
	put("boot/vmlinuz", "a kernel")
	put("boot/cmdline.txt", line+blanks)
	put("boot/loader/entries/gokrazy.conf", "title gokrazy\nlinux /vmlinuz\noptions "+line+blanks)
	put("proc/cmdline", line+"\n")
	put("proc/sys/kernel/random/boot_id", "b00d\n")
	put("proc/sys/kernel/osrelease", "6.12.47-v8\n")
	for n := 1; n <= 4; n++ {
		put(fmt.Sprintf("sys/devices/mmc/mmcblk0/mmcblk0p%d/partition", n), fmt.Sprintln(n))
		put(fmt.Sprintf("sys/devices/mmc/mmcblk0/mmcblk0p%d/size", n), "1024000\n")
		put(fmt.Sprintf("dev/mmcblk0p%d", n), fmt.Sprintf("partition %d", n))
	}
	put("sys/dev/block/.keep", "")
	if err := os.Symlink("../../devices/mmc/mmcblk0/mmcblk0p2", filepath.Join(root, "sys/dev/block/179:2")); err != nil {
		t.Fatal(err)
	}
	c := Open(folder(filepath.Join(root, "boot")), filepath.Join(root, "data"), func() bool { return true })
	c.places = places{
		root: root, sys: filepath.Join(root, "sys"), proc: filepath.Join(root, "proc"), dev: filepath.Join(root, "dev"),
		numbers: func() (uint32, uint32, error) { return 179, 2, nil },
		reboot:  func() error { return errors.New("not in a test") },
	}
	return c
}

func TestCardTellsWhatItIs(t *testing.T) {
	c := newCard(t)
	d, err := c.Device()
	if err != nil {
		t.Fatal(err)
	}
	kernel, _ := digestOf(filepath.Join(c.places.root, "boot/vmlinuz"))
	guard, _ := digestOf(filepath.Join(c.places.root, GuardFile))
	want := update.Device{Board: "rpi", Arch: runtime.GOARCH, Version: "v1.2.3", Minimum: "v1.0.0", Kernel: kernel, Release: "6.12.47-v8", Guard: guard}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Error(diff)
	}
	running, err := c.Running()
	booted, bootErr := c.Booted()
	if running != update.SlotA || booted != update.SlotA || err != nil || bootErr != nil {
		t.Errorf("runs %d (%v), was told %d (%v)", running, err, booted, bootErr)
	}
	if size, err := c.SlotSize(update.SlotB); size != 1024000*512 || err != nil {
		t.Errorf("SlotSize: %d, %v", size, err)
	}
	if id, err := c.BootID(); id != "b00d" || err != nil {
		t.Errorf("BootID: %q, %v", id, err)
	}
}

func TestBootFilesKeepTheirLengthAndTheRest(t *testing.T) {
	c := newCard(t)
	paths := map[string]string{}
	for _, name := range bootFiles {
		paths[name] = filepath.Join(c.places.root, "boot", name)
	}
	before := map[string]string{}
	for name, path := range paths {
		before[name] = read(t, path)
	}
	for _, want := range []struct {
		root update.Slot
		try  bool
	}{{update.SlotA, true}, {update.SlotB, false}, {update.SlotB, true}, {update.SlotA, false}} {
		for _, name := range bootFiles {
			if err := c.WriteBootFile(name, want.root, want.try); err != nil {
				t.Fatal(err)
			}
			if got := read(t, paths[name]); len(got) != len(before[name]) {
				t.Errorf("%s has %d bytes, had %d", name, len(got), len(before[name]))
			}
		}
		files, err := c.BootFiles()
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range files {
			if f != (update.BootFile{Name: bootFiles[i], Root: want.root, Try: want.try}) {
				t.Errorf("%+v, want %+v", f, want)
			}
		}
	}
	for name, path := range paths {
		if diff := cmp.Diff(before[name], read(t, path)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWhatGokrazyLeftOfATrialIsSeenAndTakenAway(t *testing.T) {
	c := newCard(t)
	path := filepath.Join(c.places.root, "boot/cmdline.txt")
	if err := c.WriteBootFile("cmdline.txt", update.SlotA, true); err != nil {
		t.Fatal(err)
	}
	length := len(read(t, path))
	left := strings.Replace(read(t, path), tryFlag, wasFlag, 1) // a few bytes shorter
	if err := os.WriteFile(path, []byte(left), 0o644); err != nil {
		t.Fatal(err)
	}
	files, err := c.BootFiles()
	if err != nil || files[1].Try || !files[1].Was {
		t.Fatalf("%+v, %v", files, err)
	}
	if err := c.WriteBootFile("cmdline.txt", update.SlotB, false); err != nil {
		t.Fatal(err)
	}
	if text := read(t, path); strings.Contains(text, "gokrazy.") || len(text) > length || !strings.Contains(text, "PARTNROFF=2") {
		t.Errorf("it says %q", text)
	}
}

func TestStrangeBootFilesAreLeftAlone(t *testing.T) {
	for text, want := range map[string]string{
		"":               "0 root partitions",
		"root=/dev/sda2": "0 root partitions",
		line + line:      "2 root partitions",
		strings.Replace(line, "PARTNROFF=1", "PARTNROFF=7", 1): "no root partition",
		line:                            "no room",
		line + strings.Repeat(" ", 600): "longer than one sector",
	} {
		c := newCard(t)
		path := filepath.Join(c.places.root, "boot/cmdline.txt")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := c.WriteBootFile("cmdline.txt", update.SlotA, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
		if got := read(t, path); got != text {
			t.Errorf("it was changed to %q", got)
		}
	}
	if err := newCard(t).WriteBootFile("../../data/record.json", update.SlotA, true); err == nil {
		t.Error("any file can be overwritten")
	}
}

func TestOnlyTheFreeSlotIsWritten(t *testing.T) {
	c := newCard(t)
	if _, err := c.WriteSlot(update.SlotA); err == nil {
		t.Error("the running root can be overwritten")
	}
	// In a trial, the kernel was told the other one.
	other := strings.Replace(line, "PARTNROFF=1", "PARTNROFF=2", 1)
	if err := os.WriteFile(filepath.Join(c.places.proc, "cmdline"), []byte(other), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := c.WriteSlot(update.SlotB); err == nil {
		t.Error("in a trial the root that comes back can be overwritten")
	}
	if err := os.WriteFile(filepath.Join(c.places.proc, "cmdline"), []byte(line), 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := c.WriteSlot(update.SlotB)
	if err != nil {
		t.Fatal(err)
	}
	content := bytes.Repeat([]byte("0123456789abcdef"), 100_000)
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Sync(), w.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := c.ReadSlot(update.SlotB)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(got, content) {
		t.Errorf("read back %d bytes, %v", len(got), err)
	}
}

func TestBundleIsStoredWholeOrNotAtAll(t *testing.T) {
	c := newCard(t)
	if err := c.Spool(strings.NewReader("a bundle"), 8); err != nil {
		t.Fatal(err)
	}
	s, err := c.OpenSpool()
	if err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 8)
	if _, err := s.ReadAt(text, 0); err != nil || string(text) != "a bundle" || s.Size() != 8 {
		t.Errorf("%q, %v", text, err)
	}
	if err := errors.Join(s.Close(), c.DropSpool(), c.DropSpool()); err != nil {
		t.Fatal(err)
	}
	for want, spool := range map[string]error{
		"more arrived":      c.Spool(strings.NewReader("a bundle"), 7),
		"gone":              c.Spool(iotest.ErrReader(errors.New("gone")), 8),
		"the card has room": c.Spool(strings.NewReader(""), 1<<50),
	} {
		if spool == nil || !strings.Contains(spool.Error(), want) {
			t.Errorf("%s: %v", want, spool)
		}
	}
}

func TestRecordIsKept(t *testing.T) {
	c := newCard(t)
	if data, err := c.LoadRecord(); data != nil || err != nil {
		t.Errorf("of a new card: %q, %v", data, err)
	}
	for _, text := range []string{"one", "two"} {
		if err := c.SaveRecord([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if data, err := c.LoadRecord(); string(data) != text || err != nil {
			t.Errorf("%q, %v", data, err)
		}
	}
}

func TestMachineThatRunsFromNoCardIsTold(t *testing.T) {
	c := newCard(t)
	c.places.numbers = func() (uint32, uint32, error) { return 0, 42, nil }
	if _, err := c.Running(); err == nil || !strings.Contains(err.Error(), "find the card") {
		t.Errorf("Running: %v", err)
	}
}
