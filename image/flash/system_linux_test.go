package flash

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// tree writes files below a folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// disks are a computer's own disk, a stick, a card in a slot and an eMMC, as the
// kernel describes them.
func disks(t *testing.T) sysfs {
	t.Helper()
	dir := tree(t, map[string]string{
		"devices/pci/ata1/block/sda/size": "1000000", "devices/pci/ata1/block/sda/dev": "8:0",
		"devices/pci/ata1/block/sda/device/vendor": "ATA", "devices/pci/ata1/block/sda/device/model": "Fast SSD ",
		"devices/pci/ata1/block/sda/sda1/partition": "1", "devices/pci/ata1/block/sda/sda1/size": "999000", "devices/pci/ata1/block/sda/sda1/dev": "8:1",
		"devices/pci/ata1/block/sda/sda2/partition": "2", "devices/pci/ata1/block/sda/sda2/dev": "8:2",
		"devices/pci/usb1/1-2/block/sdb/size": "31116288", "devices/pci/usb1/1-2/block/sdb/dev": "8:16", "devices/pci/usb1/1-2/block/sdb/removable": "0",
		"devices/pci/usb1/1-2/block/sdb/sdb1/partition": "1", "devices/pci/usb1/1-2/block/sdb/sdb1/size": "524288", "devices/pci/usb1/1-2/block/sdb/sdb1/dev": "8:17",
		"devices/pci/usb1/1-2/block/sdb/sdb1/uevent": "MAJOR=8\nPARTNAME=bootfs",
		"devices/mmc0/block/mmcblk0/size":            "62333952", "devices/mmc0/block/mmcblk0/device/type": "SD", "devices/mmc0/block/mmcblk0/device/name": "SC32G",
		"devices/mmc1/block/mmcblk1/size": "62333952", "devices/mmc1/block/mmcblk1/device/type": "MMC", "devices/mmc1/block/mmcblk1/ro": "1",
		"devices/pci/ata2/block/sdc/size": "1000", "devices/pci/ata2/block/sdc/dev": "8:32", "devices/pci/ata2/block/sdc/sdc1/partition": "1", "devices/pci/ata2/block/sdc/sdc1/holders/dm-0/x": "",
		"devices/pci/ata3/block/sdd/size": "1000", "devices/pci/ata3/block/sdd/dev": "8:48", "devices/pci/ata3/block/sdd/sdd1/partition": "1", "devices/pci/ata3/block/sdd/sdd1/dev": "8:49",
		"mounts": "21 1 8:1 / / rw - ext4 /dev/sda1 rw\n22 21 8:17 / /media/my\\040card rw - vfat /dev/sdb1 rw\n23 21 0:45 / /data rw - btrfs /dev/sdd1 rw\nshort",
		"swaps":  "Filename Type\n/dev/sda2 partition 100 0 -2",
	})
	class := filepath.Join(dir, "class")
	for name, at := range map[string]string{"sda": "pci/ata1/block/sda", "sda1": "pci/ata1/block/sda/sda1", "sdb": "pci/usb1/1-2/block/sdb",
		"mmcblk0": "mmc0/block/mmcblk0", "mmcblk1": "mmc1/block/mmcblk1", "sdc": "pci/ata2/block/sdc", "sdd": "pci/ata3/block/sdd"} {
		if err := os.MkdirAll(class, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(dir, "devices", at), filepath.Join(class, name)); err != nil {
			t.Fatal(err)
		}
	}
	return sysfs{class, filepath.Join(dir, "mounts"), filepath.Join(dir, "swaps")}
}

func TestKernelTellsWhatADiskIsAndWhoUsesIt(t *testing.T) {
	s := disks(t)
	get := func(name string) Disk {
		t.Helper()
		d, err := s.inspect(name)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if d := get("sda"); !d.System || d.Removable || d.InUse != "swapping" || d.Model != "ATA Fast SSD" || len(d.Partitions) != 2 || d.Size != 512_000_000 {
		t.Errorf("sda is %+v", d)
	}
	if d := get("sda1"); d.PartOf != "/dev/sda" {
		t.Errorf("sda1 is %+v", d)
	}
	if d := get("sdb"); d.System || !d.Removable || !slices.Equal(d.Mounted, []string{`/media/my\040card`}) || d.Partitions[0].Label != "bootfs" {
		t.Errorf("sdb is %+v", d)
	}
	if d := get("mmcblk0"); !d.Removable || d.Model != "SC32G" || d.ReadOnly {
		t.Errorf("mmcblk0 is %+v", d)
	}
	if d := get("mmcblk1"); d.Removable || !d.ReadOnly {
		t.Errorf("mmcblk1 is %+v", d)
	}
	if d := get("sdc"); d.InUse == "" {
		t.Errorf("sdc is %+v", d)
	}
	if d := get("sdd"); !slices.Equal(d.Mounted, []string{"/data"}) {
		t.Errorf("sdd is %+v", d)
	}
	if _, err := s.inspect("sdx"); err == nil {
		t.Error("a disk that is not there was found")
	}
}

func TestBufferIsAligned(t *testing.T) {
	for range 20 {
		if b := alignedBuffer(pieceSize); len(b) != pieceSize || addressOf(b)%alignment != 0 {
			t.Fatalf("%d bytes at %x", len(b), addressOf(b))
		}
	}
}
