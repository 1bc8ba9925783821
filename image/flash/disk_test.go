package flash_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/image/flash"
)

func TestDiskThatMustNotBeErasedIsRefusedInWords(t *testing.T) {
	stick := flash.Disk{Path: "/dev/sdz", Name: "sdz", Size: 16e9, Removable: true}
	with := func(change func(*flash.Disk)) flash.Disk {
		d := stick
		change(&d)
		return d
	}
	told := flash.Allow{Internal: true}
	for name, c := range map[string]struct {
		disk  flash.Disk
		allow flash.Allow
		says  string // empty: it is taken
	}{
		"a stick":                {stick, flash.Allow{}, ""},
		"not removable":          {with(func(d *flash.Disk) { d.Removable = false }), flash.Allow{}, "--internal"},
		"not removable, told":    {with(func(d *flash.Disk) { d.Removable = false }), told, ""},
		"mounted":                {with(func(d *flash.Disk) { d.Mounted = []string{"/media/photos"} }), told, "umount /media/photos"},
		"the running system":     {with(func(d *flash.Disk) { d.System, d.Mounted = true, []string{"/"} }), told, "runs from"},
		"a partition":            {with(func(d *flash.Disk) { d.PartOf = "/dev/sdz" }), told, "whole disk"},
		"held by something":      {with(func(d *flash.Disk) { d.InUse = "dm-0" }), told, "dm-0"},
		"write-protected":        {with(func(d *flash.Disk) { d.ReadOnly = true }), told, "lock"},
		"an empty reader":        {with(func(d *flash.Disk) { d.Size = 0 }), told, "no card"},
		"too small":              {with(func(d *flash.Disk) { d.Size = 1e9 }), told, "too small"},
		"a file that is smaller": {flash.Disk{Path: "x", File: true, Size: 512}, told, "too small"},
		"a new file":             {flash.Disk{Path: "x", File: true, New: true}, flash.Allow{}, ""},
	} {
		err := c.disk.Refusal(2e9, c.allow)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDescriptionShowsWhatWillBeErased(t *testing.T) {
	d := flash.Disk{Path: "/dev/sdz", Name: "sdz", Size: 15_931_539_456, Model: "Generic SD Reader", Removable: true,
		Partitions: []flash.Partition{{Name: "sdz1", Size: 268_435_456, Label: "bootfs"}, {Name: "sdz2", Size: 8e9}}}
	got := strings.Join(d.Description(), "\n")
	for _, want := range []string{"/dev/sdz", "Generic SD Reader", "15.9 GB", "sdz1, 268 MB, bootfs", "sdz2, 8.0 GB"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestWhatIsNoDiskIsNotOpened(t *testing.T) {
	if _, err := flash.Inspect("/dev/no-such-card"); err == nil || !strings.Contains(err.Error(), "reader") {
		t.Errorf("%v", err)
	}
	if _, err := flash.Inspect(t.TempDir()); err == nil {
		t.Error("a folder was taken")
	}
	if _, err := flash.Inspect("/dev/null"); err == nil {
		t.Error("/dev/null was taken")
	}
	path := filepath.Join(t.TempDir(), "card")
	if err := os.WriteFile(path, make([]byte, 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err := flash.Inspect(path); err != nil || !d.File || d.New || d.Size != 1000 {
		t.Errorf("%+v, %v", d, err)
	}
}
