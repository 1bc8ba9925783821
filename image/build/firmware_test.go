package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// firmwareOf makes up the list of firmware: a name to install a file as, a name in
// its repository, and the content.
func firmwareOf(t *testing.T, files ...[3]string) {
	t.Helper()
	old := firmwareList
	t.Cleanup(func() { firmwareList = old })
	firmwareList = "# published in the repository maker/radios at commit " + strings.Repeat("0a", 20) + "\ninstall_as\tpath\tbytes\tsha256\n"
	for _, f := range files {
		sum := sha256.Sum256([]byte(f[2]))
		firmwareList += fmt.Sprintf("%s\t%s\t%d\t%s\n", f[0], f[1], len(f[2]), hex.EncodeToString(sum[:]))
	}
}

// two boards' radios, one of them with a second file.
var (
	radio3B = [3]string{"brcm/x.raspberrypi,3-model-b.bin", "dir/source.bin", "radio"}
	table3B = [3]string{"brcm/x.raspberrypi,3-model-b.txt", "dir/source.txt", "table"}
	radio4B = [3]string{"brcm/other.raspberrypi,4-model-b.bin", "dir/other.bin", "other radio"}
)

// folderOf makes a folder with files as their repository names them.
func folderOf(t *testing.T, files ...[3]string) string {
	t.Helper()
	folder := t.TempDir()
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(f[1])), []byte(f[2]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// added adds the firmware to an image, and returns what the owner is told.
func added(t *testing.T, f Firmware) (r *rootFiles, said string, err error) {
	t.Helper()
	r = &rootFiles{files: map[string]file{}}
	err = r.addFirmware(t.Context(), Options{Firmware: f, Cache: t.TempDir()})
	return r, strings.Join(r.missing, "\n"), err
}

func TestFirmwareIsCheckedAndMissingBoardsAreNamed(t *testing.T) {
	firmwareOf(t, radio3B, table3B, radio4B)
	folder := folderOf(t, radio3B, table3B)
	r, said, err := added(t, Firmware{Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	if r.files["lib/firmware/"+radio3B[0]].from == "" {
		t.Error("the file that is there is not in the image")
	}
	if !strings.Contains(said, "Raspberry Pi 4B") || strings.Contains(said, "3B") || !strings.Contains(said, "--firmware DIR") || !strings.Contains(said, "regulatory.db") {
		t.Errorf("missing: %s", said)
	}
	if err := os.WriteFile(filepath.Join(folder, "source.bin"), []byte("Radio"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := added(t, Firmware{Folder: folder}); err == nil || !strings.Contains(err.Error(), "digest") {
		t.Errorf("another content than listed: %v", err)
	}
	if _, said, err := added(t, Firmware{}); err != nil || !strings.Contains(said, "3B, Raspberry Pi 4B") {
		t.Errorf("without a folder: %s, %v", said, err)
	}
}

func TestBoardWithHalfItsFirmwareLosesWifi(t *testing.T) {
	firmwareOf(t, radio3B, table3B)
	if _, said, err := added(t, Firmware{Folder: folderOf(t, radio3B)}); err != nil || !strings.Contains(said, "no Wi-Fi on Raspberry Pi 3B") {
		t.Errorf("%s, %v", said, err)
	}
}

func TestFirmwareThatIsDeclinedIsNotMissed(t *testing.T) {
	firmwareOf(t, radio3B, radio4B)
	for _, needed := range []bool{false, true} {
		r, said, err := added(t, Firmware{Declined: true, Needed: needed})
		if err != nil || strings.Contains(said, "no Wi-Fi") || len(r.files) > 0 {
			t.Errorf("needed %t: %s, %v", needed, said, err)
		}
	}
}

// A card that is asked to join a network keeps that promise, or is not built.
func TestCardThatCannotJoinItsWifiIsRefused(t *testing.T) {
	firmwareOf(t, radio3B, radio4B)
	for name, f := range map[string]Firmware{"nowhere": {}, "an empty folder": {Folder: t.TempDir()}} {
		f.Needed = true
		_, _, err := added(t, f)
		if err == nil || !strings.Contains(err.Error(), "--firmware none") || !strings.Contains(err.Error(), "--firmware DIR") {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, said, err := added(t, Firmware{Folder: folderOf(t, radio3B), Needed: true})
	if err != nil || !strings.Contains(said, "no Wi-Fi on Raspberry Pi 4B") {
		t.Errorf("a folder for one board: %s, %v", said, err)
	}
}

func TestFirmwareThatIsBuiltInIsListed(t *testing.T) {
	firmwareOf(t, radio3B, radio4B)
	r, _, err := added(t, Firmware{Folder: folderOf(t, radio4B)})
	if err != nil {
		t.Fatal(err)
	}
	list, err := radios()
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(radio4B[2]))
	got := r.firmware(list)
	if len(got) != 1 || got[0].Name != "lib/firmware/"+radio4B[0] || got[0].Type != "firmware" || got[0].Hashes[0].Content != hex.EncodeToString(sum[:]) {
		t.Errorf("%+v", got)
	}
}

// The committed list is whole, names each board's radio, and says where it is from.
func TestListOfFirmwareIsReadable(t *testing.T) {
	list, err := radios()
	if err != nil || len(list) < 30 {
		t.Fatalf("%d files, %v", len(list), err)
	}
	digests := map[string]string{}
	for _, r := range list {
		if old := digests[r.source]; old != "" && old != r.digest.String() {
			t.Errorf("%s has two digests", r.source)
		}
		digests[r.source] = r.digest.String()
		if r.bytes > firmwareLimit {
			t.Errorf("%s is too large to be fetched", r.source)
		}
	}
	for part, board := range radioBoards {
		found := false
		for _, r := range list {
			found = found || r.board() == board
		}
		if !found {
			t.Errorf("no firmware is listed for the %s, %s", board, part)
		}
	}
	address, err := FirmwareAddress()
	if err != nil || !strings.HasPrefix(address, "https://") || !strings.HasSuffix(address, "/RPi-Distro/firmware-nonfree/223ccf3a3ddb11b3ea829749fbbba4d65b380897") {
		t.Errorf("published at %s, %v", address, err)
	}
	for _, bad := range [][3]string{{"../../etc/passwd", "x", "evil"}, {"x", "../../other", "evil"}, {"x", "y", ""}} {
		firmwareOf(t, bad)
		if _, err := radios(); err == nil {
			t.Errorf("%q may be listed", bad)
		}
	}
}
