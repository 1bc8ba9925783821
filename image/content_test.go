package image

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/gpt"
	"github.com/prompt64/prompt64/image/build"
	"github.com/prompt64/prompt64/image/fat"
)

// partitions are an image's boot and root partition, the root as long as its file
// system is.
func partitions(t *testing.T, path string) (boot, root []byte) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	table, err := gpt.Read(f, uint64(info.Size()/gpt.SectorSize))
	if err != nil {
		t.Fatal(err)
	}
	if !table.Whole {
		t.Error("the two copies of the partition table differ")
	}
	read := func(n int, size int64) []byte {
		p, err := table.Partition(n)
		if err != nil {
			t.Fatal(err)
		}
		if size == 0 {
			size = p.Bytes()
		}
		b, err := io.ReadAll(io.NewSectionReader(f, p.Offset(), min(size, p.Bytes())))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	const usedAt, page = 40, 4096 // a squashfs's size is in its superblock
	used := int64(binary.LittleEndian.Uint64(read(2, 96)[usedAt:]))
	return read(1, 0), read(2, (used+page-1)/page*page)
}

// unpackRoot unpacks the root partition's file system, once.
func unpackRoot(t *testing.T, path string) string {
	t.Helper()
	tree := path + ".root"
	if _, err := os.Stat(tree); err == nil {
		return tree
	}
	_, root := partitions(t, path)
	squash := path + ".squashfs"
	if err := os.WriteFile(squash, root, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("unsquashfs", "-quiet", "-no-progress", "-no-xattrs", "-d", tree, squash).CombinedOutput()
	if err != nil {
		t.Fatalf("unsquashfs: %v\n%s\nscripts/setup --tests installs it", err, out)
	}
	return tree
}

// eachFile calls f with every regular file of a tree.
func eachFile(t *testing.T, tree string, f func(name string, content []byte)) {
	t.Helper()
	err := filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(tree, path)
		f(name, content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// largeFile is larger than a key and smaller than a program.
const largeFile = 64 << 10

// secretMarks are what a secret looks like. A certificate's public key is none.
var secretMarks = []string{"-----BEGIN PRIVATE KEY", "-----BEGIN RSA PRIVATE KEY", "-----BEGIN EC PRIVATE KEY",
	"-----BEGIN OPENSSH PRIVATE KEY", "untrusted comment: minisign encrypted secret key", canary}

func TestImageHoldsNoSecretButTheOwnersSettings(t *testing.T) {
	path := image(t, "qemu-amd64")
	files := 0
	eachFile(t, unpackRoot(t, path), func(name string, content []byte) {
		files++
		for _, mark := range secretMarks {
			// A program that writes or reads such keys has the words in it.
			if (len(content) < largeFile || mark == canary) && bytes.Contains(content, []byte(mark)) {
				t.Errorf("/%s has %q", name, mark)
			}
		}
		if base := filepath.Base(name); base == "gokr-pw.txt" || base == "wifi.json" || strings.HasSuffix(base, ".key.pem") {
			t.Errorf("there is /%s", name)
		}
	})
	if files < 500 {
		t.Fatalf("only %d files were looked at", files)
	}
	boot, _ := partitions(t, path)
	if n := bytes.Count(boot, []byte(canary)); n != 1 {
		t.Errorf("the Wi-Fi key is on the boot partition %d times", n)
	}
	for _, config := range []string{"../config.json", "qemu-amd64/config.json", "qemu-arm64/config.json"} {
		text, err := os.ReadFile(config)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"HTTPPassword", "psk", "PSK", "token"} {
			if bytes.Contains(text, []byte(word)) {
				t.Errorf("%s has %q", config, word)
			}
		}
		if !bytes.Contains(text, []byte(`"NoPassword": true`)) {
			t.Errorf("%s does not close gokrazy's own pages", config)
		}
	}
}

// A desktop that the card is put into mounts the boot partition, and there is room
// for a file.
func TestBootPartitionTakesAFileFromADesktop(t *testing.T) {
	path := image(t, "qemu-amd64")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	table, err := gpt.Read(f, uint64(info.Size()/gpt.SectorSize))
	if err != nil {
		t.Fatal(err)
	}
	p, err := table.Partition(1)
	if err != nil || p.Type != gpt.BasicData {
		t.Fatalf("partition 1 is of the type %s, which desktops leave alone: %v", p.Type, err)
	}
	v, err := fat.Open(f, p.Offset())
	if err != nil {
		t.Fatal(err)
	}
	if free, err := v.Free(); err != nil || free < 20<<20 {
		t.Errorf("%d bytes are free: %v", free, err)
	}
}

// What was left out of Debian's packages is needed by nothing that was kept.
func TestEveryProgramFindsItsLibraries(t *testing.T) {
	tree := unpackRoot(t, image(t, "qemu-amd64"))
	have := map[string]bool{}
	need := map[string]string{} // library: who needs it
	programs := 0
	err := filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		have[d.Name()] = true
		if !d.Type().IsRegular() {
			return nil
		}
		f, err := elf.Open(path)
		if err != nil {
			return nil // no program
		}
		defer f.Close()
		programs++
		libraries, err := f.ImportedLibraries()
		for _, l := range libraries {
			need[l] = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for l, who := range need {
		if !have[l] {
			t.Errorf("%s needs %s, which is not there", strings.TrimPrefix(who, tree), l)
		}
	}
	if programs < 40 || len(need) < 20 {
		t.Errorf("only %d programs and %d libraries were looked at", programs, len(need))
	}
	for _, name := range []string{"usr/bin/git", "bin/sh", "bin/busybox", "etc/passwd", "etc/ssl/ca-bundle.pem",
		"usr/share/zoneinfo/Europe/Berlin", "usr/share/doc/git/copyright", "lib/firmware/regulatory.db",
		"sbin/mke2fs", "etc/mke2fs.conf"} {
		if _, err := os.Lstat(filepath.Join(tree, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Lstat(filepath.Join(tree, "usr/bin/perl")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a perl: %v", err)
	}
}

// Somebody else who builds this commit gets the same partitions.
func TestTwoBuildsOfOneCommitAreEqual(t *testing.T) {
	first := image(t, "qemu-amd64")
	o, err := options("qemu-amd64", "again.img")
	if err != nil {
		t.Fatal(err)
	}
	// Neither the computer's time zone nor its folders may be seen.
	t.Setenv("TZ", "Asia/Tokyo")
	t.Setenv("TMPDIR", t.TempDir())
	r, err := build.Build(within(t, patience), o)
	if err != nil {
		t.Fatal(err)
	}
	bootA, rootA := partitions(t, first)
	bootB, rootB := partitions(t, r.Image)
	if !bytes.Equal(bootA, bootB) {
		t.Errorf("the boot partitions differ, first at byte %d", difference(bootA, bootB))
	}
	if !bytes.Equal(rootA, rootB) {
		t.Errorf("the root partitions differ, first at byte %d", difference(rootA, rootB))
	}
	billA, err := os.ReadFile(first + ".sbom.json")
	if err != nil {
		t.Fatal(err)
	}
	billB, err := os.ReadFile(r.SBOM)
	if err != nil || !bytes.Equal(billA, billB) {
		t.Errorf("the lists of what the image is made of differ: %v", err)
	}
	for _, want := range []string{"github.com/gokrazy/kernel.amd64@v", "golang.org/x/sys@v", "pkg:deb/debian/git@", "pkg:deb/debian/libc6@"} {
		if !bytes.Contains(billA, []byte(want)) {
			t.Errorf("%s is not in the list of what the image is made of", want)
		}
	}
	if err := os.Remove(r.Image); err != nil {
		t.Error(err)
	}
}

func difference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

func TestBuildThatIsStoppedLeavesNothing(t *testing.T) {
	o, err := options("qemu-amd64", "never.img")
	if err != nil {
		t.Fatal(err)
	}
	o.Output = filepath.Join(t.TempDir(), "never.img")
	ctx, cancel := context.WithCancel(t.Context())
	o.Note = func(string, ...any) { cancel() }
	if _, err := build.Build(ctx, o); err == nil {
		t.Fatal("it was built in spite of that")
	}
	left, err := os.ReadDir(filepath.Dir(o.Output))
	if err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
}
