package build

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/image/debs"
)

var date = time.Unix(1_800_000_000, 0)

// archive writes the files and reads the archive back: names in order, and texts.
func archive(t *testing.T, r *rootFiles) (names []string, texts map[string]string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.tar")
	if err := r.write(path, date); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	texts = map[string]string{}
	for rd := tar.NewReader(bytes.NewReader(b)); ; {
		h, err := rd.Next()
		if errors.Is(err, io.EOF) {
			return names, texts
		}
		if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(date) || h.Uid != 0 || h.Uname != "" {
			t.Errorf("%s is of %v, by %d %q", h.Name, h.ModTime, h.Uid, h.Uname)
		}
		text, err := io.ReadAll(rd)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
		texts[h.Name] = fmt.Sprintf("%s%s %o", text, h.Linkname, h.Mode)
	}
}

func TestArchiveIsSortedAndSaysNothingAboutTheBuilder(t *testing.T) {
	r := &rootFiles{files: map[string]file{}}
	from := filepath.Join(t.TempDir(), "b")
	if err := os.WriteFile(from, []byte("copied"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.text("z/y/x", "deep")
	r.files["a"] = file{mode: 0o755, from: from}
	r.files["z/link"] = file{link: "y/x"}
	names, texts := archive(t, r)
	if got := strings.Join(names, " "); got != "a z/ z/link z/y/ z/y/x" {
		t.Errorf("order %s", got)
	}
	if texts["a"] != "copied 755" || texts["z/link"] != "y/x 777" || texts["z/y/x"] != "deep 644" {
		t.Errorf("%v", texts)
	}
}

func TestTimeZonesAreGos(t *testing.T) {
	r := &rootFiles{files: map[string]file{}}
	if err := r.addZones(); err != nil {
		t.Fatal(err)
	}
	for _, zone := range []string{"Europe/Berlin", "UTC", "America/New_York"} {
		if text := r.files["usr/share/zoneinfo/"+zone].text; !bytes.HasPrefix(text, []byte("TZif")) {
			t.Errorf("%s has %.20q", zone, text)
		}
	}
	if !bytes.HasPrefix(r.utc, []byte("TZif")) {
		t.Errorf("UTC has %.20q", r.utc)
	}
}

func TestToolsAreTakenAsThePackerWantsThem(t *testing.T) {
	r := &rootFiles{files: map[string]file{}}
	for _, f := range []debs.File{
		{Name: "usr/bin/git", Text: []byte("ELF"), Exec: true},
		{Name: "usr/lib/empty"},
		{Name: "lib/firmware/regulatory.db-upstream", Text: []byte("table")},
		{Name: "lib/firmware/regulatory.db.p7s-debian", Text: []byte("other signature")},
		{Name: "lib64/ld.so", Link: "/lib/ld.so"},
	} {
		if err := r.addTool(f); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.files) != 3 || r.files["usr/bin/git"].mode != 0o755 || string(r.files[radioTable].text) != "table" || r.files["lib64/ld.so"].link != "/lib/ld.so" {
		t.Errorf("%+v", r.files)
	}
	if err := r.addTool(debs.File{Name: "usr/bin/git", Text: []byte("another")}); err == nil {
		t.Error("two packages may have the same file")
	}
}

// firmwareFolder makes up one file of the list, and puts its digest into the list.
func firmwareFolder(t *testing.T, name, content string) {
	t.Helper()
	old := firmwareList
	t.Cleanup(func() { firmwareList = old })
	sum := sha256.Sum256([]byte(content))
	firmwareList = "# comment\ninstall_as\tpath\tbytes\tsha256\n" +
		name + "\tdir/source.bin\t" + fmt.Sprint(len(content)) + "\t" + hex.EncodeToString(sum[:]) + "\n" +
		"brcm/other.raspberrypi,4-model-b.bin\tdir/other.bin\t5\t" + strings.Repeat("0", 64) + "\n"
}

func TestFirmwareIsCheckedAndMissingBoardsAreNamed(t *testing.T) {
	firmwareFolder(t, "brcm/x.raspberrypi,3-model-b.bin", "radio")
	folder := t.TempDir()
	put := func(text string) {
		if err := os.WriteFile(filepath.Join(folder, "source.bin"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("radio")
	r := &rootFiles{files: map[string]file{}}
	if err := r.addFirmware(Options{Firmware: folder}); err != nil {
		t.Fatal(err)
	}
	if r.files["lib/firmware/brcm/x.raspberrypi,3-model-b.bin"].from == "" {
		t.Error("the file that is there is not in the image")
	}
	said := strings.Join(r.missing, "\n")
	if !strings.Contains(said, "Raspberry Pi 4B") || strings.Contains(said, "3B") || !strings.Contains(said, "regulatory.db") {
		t.Errorf("missing: %s", said)
	}
	put("changed")
	if err := r.addFirmware(Options{Firmware: folder}); err == nil || !strings.Contains(err.Error(), "digest") {
		t.Errorf("another content than listed: %v", err)
	}
	r = &rootFiles{files: map[string]file{}}
	if err := r.addFirmware(Options{}); err != nil || !strings.Contains(strings.Join(r.missing, ""), "3B, Raspberry Pi 4B") {
		t.Errorf("without a folder: %v, %v", r.missing, err)
	}
}

// The committed list is whole, and names each board's radio.
func TestListOfFirmwareIsReadable(t *testing.T) {
	list, err := radios()
	if err != nil || len(list) < 30 {
		t.Fatalf("%d files, %v", len(list), err)
	}
	for part, board := range radioBoards {
		found := false
		for _, r := range list {
			found = found || strings.Contains(r.installAs, "."+part+".")
		}
		if !found {
			t.Errorf("no firmware is listed for the %s", board)
		}
	}
	firmwareFolder(t, "../../etc/passwd", "evil")
	if _, err := radios(); err == nil {
		t.Error("a file outside the folder is listed")
	}
}
