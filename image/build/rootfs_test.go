package build

import (
	"archive/tar"
	"bytes"
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
