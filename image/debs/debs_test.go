package debs

import (
	"archive/tar"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestLockFileKeepsWhatItSays(t *testing.T) {
	for _, arch := range []string{"amd64", "arm64"} {
		packages, err := Locked(arch)
		if err != nil {
			t.Fatal(err)
		}
		have := map[string]bool{}
		for _, p := range packages {
			have[p.Name] = true
			if name, version, err := nameOf(p.File); err != nil || name != p.Name || version != p.Version {
				t.Errorf("%s is %s %s: %v", p.File, p.Name, p.Version, err)
			}
			if isUnwanted(p.Name) {
				t.Errorf("%s is locked, and unwanted", p.Name)
			}
		}
		for _, w := range wanted {
			if !have[w] {
				t.Errorf("%s is not locked for %s", w, arch)
			}
		}
		if again, err := parseLock(formatLock(packages)); err != nil || len(again) != len(packages) || again[0] != packages[0] {
			t.Errorf("the file does not survive being written: %v", err)
		}
	}
	if _, err := Locked("m68k"); err == nil {
		t.Error("there are packages for a 68000")
	}
	for _, bad := range []string{"a\tb", "a\tb\tc\td\tx\t" + strings.Repeat("0", 64), "a\tb\tc\td\t1\tzz", "a\tb\tc\t../d\t1\t" + strings.Repeat("0", 64)} {
		if _, err := parseLock(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// deb makes a package with these files; a text that begins with -> is a link.
func deb(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	tree := filepath.Join(dir, "tree")
	files["DEBIAN/control"] = "Package: x\nVersion: 1\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\nDescription: test\n"
	for name, text := range files {
		at := filepath.Join(tree, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if to, ok := strings.CutPrefix(text, "->"); ok {
			err = os.Symlink(to, at)
		} else {
			err = os.WriteFile(at, []byte(text), 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "x_1_all.deb")
	if said, err := exec.Command("dpkg-deb", "--root-owner-group", "-b", tree, out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return out
}

func needDebian(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		t.Skip("there is no dpkg-deb: packages can only be unpacked on Debian and its relatives")
	}
}

func TestUnpackKeepsProgramsAndLicencesOnly(t *testing.T) {
	needDebian(t)
	got := map[string]File{}
	err := Unpack(t.Context(), deb(t, map[string]string{
		"usr/bin/git": "ELF", "usr/bin/link": "->git", "usr/share/doc/x/copyright": "licence",
		"usr/share/doc/x/README": "words", "usr/share/man/man1/git.1": "manual",
		"usr/lib/git-core/git-send-email": "#!/usr/bin/perl -w\n", "usr/lib/git-core/git-sh": "#!/bin/sh\n",
		"sbin/mke2fs": "ELF", "sbin/debugfs": "ELF", "sbin/mkfs.ext4": "->mke2fs", "usr/sbin/filefrag": "ELF", "etc/mke2fs.conf": "[defaults]",
		"etc/e2scrub.conf": "x", "usr/lib/x/e2fsprogs/e2scrub_fail": "#!/bin/sh\n",
	}), func(f File) error { got[f.Name] = f; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 6 || got["sbin/mke2fs"].Text == nil || got["etc/mke2fs.conf"].Text == nil || string(got["usr/bin/git"].Text) != "ELF" || !got["usr/bin/git"].Exec || got["usr/bin/link"].Link != "git" ||
		got["usr/share/doc/x/copyright"].Text == nil || got["usr/lib/git-core/git-sh"].Text == nil {
		t.Errorf("%v", got)
	}
	if err := Unpack(t.Context(), filepath.Join(t.TempDir(), "none.deb"), nil); err == nil {
		t.Error("a package that is not there was unpacked")
	}
}

func TestHardLinksBecomeSymbolicAndNothingLeavesTheTree(t *testing.T) {
	pack := func(h *tar.Header) *bytes.Buffer {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		return &b
	}
	var got File
	add := func(f File) error { got = f; return nil }
	if err := walk(pack(&tar.Header{Typeflag: tar.TypeLink, Name: "./usr/bin/b", Linkname: "./usr/bin/a", Mode: 0o755}), add); err != nil {
		t.Fatal(err)
	}
	if got.Name != "usr/bin/b" || got.Link != "/usr/bin/a" {
		t.Errorf("%+v", got)
	}
	for _, name := range []string{"../etc/passwd", "/etc/passwd"} {
		if err := walk(pack(&tar.Header{Typeflag: tar.TypeReg, Name: name}), add); err == nil {
			t.Errorf("%s was unpacked", name)
		}
	}
}

// A cached package that was changed is no package any more, and nobody asks apt.
func TestChangedPackageIsRefused(t *testing.T) {
	needDebian(t)
	cache := t.TempDir()
	path := deb(t, map[string]string{"a": "b"})
	sum, size, err := digest(path)
	if err != nil {
		t.Fatal(err)
	}
	p := Package{Arch: "all", Name: "x", Version: "1", File: "x_1_all.deb", Bytes: size, SHA256: sum}
	cached := filepath.Join(cache, sum+".deb")
	if err := os.Rename(path, cached); err != nil {
		t.Fatal(err)
	}
	got, err := Fetch(t.Context(), cache, []Package{p})
	if err != nil || len(got) != 1 || got[0] != cached {
		t.Fatalf("%v, %v", got, err)
	}
	f, err := os.OpenFile(cached, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte{'x'}, size/2); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Fetch(t.Context(), cache, []Package{p}); err == nil || !strings.Contains(err.Error(), "digest") {
		t.Errorf("%v", err)
	}
}
