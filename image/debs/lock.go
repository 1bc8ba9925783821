package debs

import (
	_ "embed" // the lock file
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// lockText is the lock file.
//
//go:embed lock.tsv
var lockText string

// lockHead explains the file's columns.
const lockHead = "# Debian packages of the image; scripts/image-lock writes this file.\n" +
	"arch\tpackage\tversion\tfile\tbytes\tsha256\n"

// Package is a locked package.
type Package struct {
	Arch, Name, Version string
	File                string // as apt names it
	Bytes               int64
	SHA256              string
}

// Locked lists the packages of an architecture.
func Locked(arch string) ([]Package, error) {
	all, err := parseLock(lockText)
	if err != nil {
		return nil, err
	}
	var out []Package
	for _, p := range all {
		if p.Arch == arch {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the lock file has no packages for %s: scripts/image-lock adds them", arch)
	}
	return out, nil
}

func parseLock(text string) ([]Package, error) {
	var out []Package
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' || strings.HasPrefix(line, "arch\t") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 6 {
			return nil, fmt.Errorf("lock file: %q has %d columns, not 6", line, len(f))
		}
		size, err := strconv.ParseInt(f[4], 10, 64)
		if err != nil || size <= 0 {
			return nil, fmt.Errorf("lock file: %q is no size", f[4])
		}
		if b, err := hex.DecodeString(f[5]); err != nil || len(b) != 32 {
			return nil, fmt.Errorf("lock file: %q is no digest", f[5])
		}
		if f[3] != filepath.Base(f[3]) || f[3] == "" {
			return nil, fmt.Errorf("lock file: %q is no file name", f[3])
		}
		out = append(out, Package{f[0], f[1], f[2], f[3], size, f[5]})
	}
	return out, nil
}

func formatLock(packages []Package) string {
	var b strings.Builder
	b.WriteString(lockHead)
	for _, p := range packages {
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%d\t%s\n", p.Arch, p.Name, p.Version, p.File, p.Bytes, p.SHA256)
	}
	return b.String()
}

// nameOf splits a package's file name, NAME_VERSION_ARCH.deb.
func nameOf(file string) (name, version string, err error) {
	f := strings.Split(strings.TrimSuffix(file, ".deb"), "_")
	if len(f) != 3 || !strings.HasSuffix(file, ".deb") {
		return "", "", fmt.Errorf("%q is no package's file name", file)
	}
	return f[0], strings.ReplaceAll(f[1], "%3a", ":"), nil
}
