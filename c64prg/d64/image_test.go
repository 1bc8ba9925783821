package d64_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/c64prg"
	"github.com/prompt64/prompt64/c64prg/d64"
)

func disk(data []byte) d64.Disk {
	return d64.Disk{Name: "prompt64", ID: "64", File: "prompt64", Data: data}
}

func image(t *testing.T, data []byte) []byte {
	t.Helper()
	img, err := disk(data).Image()
	if err != nil {
		t.Fatal(err)
	}
	if len(img) != 174848 {
		t.Fatalf("%d bytes: a disk of 35 tracks has 174848", len(img))
	}
	return img
}

func noise(n int) []byte {
	r := rand.New(rand.NewPCG(uint64(n), 64))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// capacity is what 664 free blocks hold.
const capacity = 664 * 254

func TestReaderOfTheDrivesLayoutFindsTheProgramWhole(t *testing.T) {
	for _, n := range []int{1, 2, 253, 254, 255, 508, 509, 22477, 24575, 65535, capacity - 1, capacity} {
		data := noise(n)
		d := read(t, image(t, data))
		if d.name != "PROMPT64" || d.id != "64" || d.dos != "2A" {
			t.Errorf("%d bytes: the disk is %q, %q, %q", n, d.name, d.id, d.dos)
		}
		if len(d.files) != 1 {
			t.Fatalf("%d bytes: %d files", n, len(d.files))
		}
		f := d.files[0]
		if f.name != "PROMPT64" || f.kind != 0x82 || f.blocks != (n+253)/254 || len(f.chain) != f.blocks {
			t.Errorf("%d bytes: %q, type %#x, %d blocks, %d in its chain", n, f.name, f.kind, f.blocks, len(f.chain))
		}
		if !bytes.Equal(f.data, data) {
			t.Errorf("%d bytes: the program is not what was written", n)
		}
	}
}

func TestMapAgreesWithWhatIsUsed(t *testing.T) {
	for _, n := range []int{1, 22477, capacity} {
		d := read(t, image(t, noise(n)))
		used := map[sector]bool{{18, 0}: true, {18, 1}: true}
		for _, s := range d.files[0].chain {
			if used[s] {
				t.Errorf("%d bytes: sector %v is used twice", n, s)
			}
			used[s] = true
		}
		for track, count := range layout {
			free := 0
			for s := range count {
				if d.free[sector{track + 1, s}] {
					free++
				}
				if d.free[sector{track + 1, s}] == used[sector{track + 1, s}] {
					t.Errorf("%d bytes: track %d sector %d: free %v, used %v", n, track+1, s, !used[sector{track + 1, s}], used[sector{track + 1, s}])
				}
			}
			if d.count[track] != free {
				t.Errorf("%d bytes: track %d counts %d free sectors, and has %d", n, track+1, d.count[track], free)
			}
		}
	}
}

func TestProgramIsFirstOnItsDisk(t *testing.T) {
	img, err := d64.Prompt64(c64prg.Program())
	if err != nil {
		t.Fatal(err)
	}
	if f := read(t, img).files; len(f) != 1 || f[0].name != "PROMPT64" || !bytes.Equal(f[0].data, c64prg.Program()) {
		t.Error("the disk does not hold prompt64.prg")
	}
}

func TestImageIsTheSameEachTime(t *testing.T) {
	if !bytes.Equal(image(t, noise(5000)), image(t, noise(5000))) {
		t.Error("two images of one program differ")
	}
}

func TestProgramThatDoesNotFitIsRefused(t *testing.T) {
	if _, err := disk(noise(capacity + 1)).Image(); !errors.Is(err, d64.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
	if _, err := disk(nil).Image(); err == nil {
		t.Error("an empty program was taken")
	}
}

func TestNameThatADriveCannotFindIsRefused(t *testing.T) {
	for _, name := range []string{"", "a*", "what?", "a:b", "a,b", "a=b", `"`, "$", strings.Repeat("x", 17), "a\x00", "naïve"} {
		d := disk([]byte{1, 8, 0})
		d.File = name
		if _, err := d.Image(); err == nil {
			t.Errorf("file %q was taken", name)
		}
		d = disk([]byte{1, 8, 0})
		d.Name = name
		if _, err := d.Image(); err == nil {
			t.Errorf("disk %q was taken", name)
		}
	}
	d := disk([]byte{1, 8, 0})
	d.ID = "645"
	if _, err := d.Image(); err == nil {
		t.Error("an id of three characters was taken")
	}
}

// cc1541 is a tool of others that reads such images; where it is installed, it
// must see what the reader of this test sees.
func TestToolOfOthersReadsTheImage(t *testing.T) {
	tool, err := exec.LookPath("cc1541")
	if err != nil {
		t.Skip("cc1541 is not installed; the independent reader has looked at the same image")
	}
	path := filepath.Join(t.TempDir(), "prompt64.d64")
	prg := c64prg.Program()
	if err := os.WriteFile(path, image(t, prg), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tool, "-v", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	blocks := (len(prg) + 253) / 254
	for _, want := range []string{
		fmt.Sprintf(`%-4d "prompt64"         prg`, blocks),
		fmt.Sprintf("%d blocks free.", 664-blocks),
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s does not say %q:\n%s", tool, want, out)
		}
	}
}
