package fat

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// memory is a disk in memory.
type memory []byte

func (m memory) ReadAt(p []byte, off int64) (int, error) { return bytes.NewReader(m).ReadAt(p, off) }
func (m memory) WriteAt(p []byte, off int64) (int, error) {
	return copy(m[off:], p), nil
}

// base is where the volume lies on the test's disk.
const base = 64 << 10

var when = time.Date(2026, 11, 30, 18, 30, 10, 0, time.UTC)

// kernel is a file that takes several clusters.
var kernel = bytes.Repeat([]byte("a kernel "), 1000)

// tight makes a volume as gokrazy's writer does: two files, a root folder with no
// room, and no free cluster but those that FAT16 asks for at the least.
func tight(t testing.TB, size int) (memory, *Volume) {
	t.Helper()
	m := make(memory, base+size)
	b := m[base:]
	g := geometry{perCluster: 4, reserved: 4, table: 16, root: 16}
	g.total = g.dataStart() + minClusters*4
	copy(b, "\xeb\x3c\x90gokrazy!")
	le.PutUint16(b[11:], sectorSize)
	b[13], b[16], b[21], b[38], b[510], b[511] = byte(g.perCluster), 1, 0xf8, 0x29, 0x55, 0xaa
	copy(b[43:], "NO NAME    ")
	copy(b[54:], "FAT16   ")
	le.PutUint16(b[14:], uint16(g.reserved))
	le.PutUint16(b[17:], uint16(g.root))
	le.PutUint16(b[22:], uint16(g.table))
	le.PutUint32(b[32:], uint32(g.total))
	le.PutUint32(b[g.reserved*sectorSize:], 0xfffffff8)
	v, err := Open(m, base)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"vmlinuz": kernel, "cmdline.txt": []byte("root=here")} {
		if err := v.Add(name, content, when); err != nil {
			t.Fatal(err)
		}
	}
	return m, v
}

func content(t testing.TB, m memory, v *Volume, short string, size int) []byte {
	t.Helper()
	sector, err := v.Sector(short)
	if err != nil {
		t.Fatal(err)
	}
	return m[sector*sectorSize:][:size]
}

func TestExtendKeepsFilesAndSaysHowFarTheyMoved(t *testing.T) {
	m, v := tight(t, 100<<20)
	before, err := v.Sector("VMLINUZ")
	if err != nil {
		t.Fatal(err)
	}
	phase := v.dataStart() % v.perCluster
	free, err := v.Free()
	if err != nil {
		t.Fatal(err)
	}
	moved, err := v.Extend(100 << 20)
	if err != nil {
		t.Fatal(err)
	}
	after, err := v.Sector("vmlinuz")
	if err != nil || after != before+moved || moved <= 0 {
		t.Errorf("sector %d, before %d, moved %d: %v", after, before, moved, err)
	}
	if v.dataStart()%v.perCluster != phase {
		t.Error("the clusters left their raster")
	}
	if got := content(t, m, v, "VMLINUZ", len(kernel)); !bytes.Equal(got, kernel) {
		t.Error("the kernel is not what it was")
	}
	again, err := Open(m, base)
	if err != nil {
		t.Fatal(err)
	}
	if now, err := again.Free(); err != nil || now < free+80<<20 {
		t.Errorf("%d bytes are free, were %d: %v", now, free, err)
	}
}

func TestFileIsAddedOnceUnderItsLongName(t *testing.T) {
	m, v := tight(t, 16<<20)
	if _, err := v.Extend(16 << 20); err != nil {
		t.Fatal(err)
	}
	text := []byte(`{"wifi":[]}`)
	if err := v.Add("prompt64.json", text, when); err != nil {
		t.Fatal(err)
	}
	if got := content(t, m, v, "PROMPT~1.JSO", len(text)); !bytes.Equal(got, text) {
		t.Errorf("the file has %q", got)
	}
	if err := v.Add("PROMPT64.JSON", text, when); err == nil {
		t.Error("a second file took the same name")
	}
	for _, bad := range []string{"", ".x", "a b", "über", "a.b.c", `a\b`, strings.Repeat("a", 300)} {
		if err := v.Add(bad, text, when); err == nil {
			t.Errorf("the name %q was taken", bad)
		}
	}
}

func TestFullVolumeRefusesAndKeepsItsFiles(t *testing.T) {
	m, v := tight(t, 16<<20)
	if err := v.Add("big.bin", make([]byte, 9<<20), when); err == nil {
		t.Error("more went in than fits")
	}
	for i := 0; ; i++ {
		if err := v.Add("f"+strings.Repeat("x", i), nil, when); err != nil {
			if !strings.Contains(err.Error(), "full") {
				t.Errorf("the folder has no room: %v", err)
			}
			break
		}
	}
	if got := content(t, m, v, "VMLINUZ", len(kernel)); !bytes.Equal(got, kernel) {
		t.Error("the kernel is not what it was")
	}
}

func TestExtendRefusesWhatIsNotFAT16(t *testing.T) {
	_, v := tight(t, 200<<20)
	if _, err := v.Extend(1 << 20); err == nil {
		t.Error("it became smaller")
	}
	if _, err := v.Extend(200 << 20); err == nil {
		t.Error("it has more clusters than FAT16 knows")
	}
	m, _ := tight(t, 16<<20)
	for _, at := range []int{11, 13, 16, 17, 22, 32, 510} {
		broken := bytes.Clone(m)
		broken[base+at] ^= 0xff
		if _, err := Open(memory(broken), base); err == nil {
			t.Errorf("byte %d is wrong, and it was opened", at)
		}
	}
	if _, err := Open(memory(nil), 0); err == nil {
		t.Error("an empty disk was opened")
	}
}

// Whatever names and sizes are added, each file is found with its own content.
func TestEveryAddedFileIsFoundAgain(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		m, v := tight(t, 9<<20)
		want := map[string][]byte{}
		for range rapid.IntRange(1, 5).Draw(r, "files") {
			name := rapid.StringMatching(`[A-Z][A-Z0-9]{0,7}(\.[A-Z]{1,3})?`).Draw(r, "name")
			text := rapid.SliceOfN(rapid.Byte(), 1, 9000).Draw(r, "content")
			err := v.Add(name, text, when)
			if _, taken := want[name]; taken != (err != nil) {
				r.Fatalf("%s: taken %v, %v", name, taken, err)
			}
			if err == nil {
				want[name] = text
			}
		}
		for name, text := range want {
			if !bytes.Equal(content(t, m, v, name, len(text)), text) {
				r.Fatalf("%s is not what was added", name)
			}
		}
	})
}

// fsck.vfat is the second opinion, where it is installed.
func TestOtherToolsFindNoFault(t *testing.T) {
	fsck, err := exec.LookPath("fsck.vfat")
	if err != nil {
		t.Skip("there is no fsck.vfat (Debian's package dosfstools) to compare with")
	}
	m, v := tight(t, 100<<20)
	if _, err := v.Extend(100 << 20); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"prompt64.json", "thirteenchars", "a.b"} {
		if err := v.Add(name, kernel, when); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "fat")
	if err := os.WriteFile(file, m[base:], 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(fsck, "-n", "-v", "-l", file).CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("prompt64.json")) {
		t.Errorf("%v\n%s", err, out)
	}
}
