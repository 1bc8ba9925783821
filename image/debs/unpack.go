package debs

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"strings"
)

// File is a file or link of a package.
type File struct {
	Name string // without a slash in front
	Link string // where a symbolic link leads; empty: it is a file
	Text []byte
	Exec bool
}

// Unpack calls add for each file of a package that the device needs.
func Unpack(ctx context.Context, deb string, add func(File) error) error {
	cmd := exec.CommandContext(ctx, "dpkg-deb", "--fsys-tarfile", deb)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("unpack a package: %w", err)
	}
	err = walk(out, add)
	_, _ = io.Copy(io.Discard, out) // so that the program ends
	if waitErr := cmd.Wait(); waitErr != nil {
		err = errors.Join(err, fmt.Errorf("dpkg-deb: %w: %s", waitErr, said.String()))
	}
	if err != nil {
		return fmt.Errorf("unpack %s: %w", deb, err)
	}
	return nil
}

// walk reads an archive. A hard link becomes a symbolic one: the packer knows none.
func walk(r io.Reader, add func(File) error) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		f := File{Name: path.Clean(h.Name), Exec: h.Mode&0o111 != 0}
		if path.IsAbs(f.Name) || strings.HasPrefix(f.Name, "..") {
			return fmt.Errorf("a file is named %q", h.Name)
		}
		switch h.Typeflag {
		case tar.TypeSymlink:
			f.Link = h.Linkname
		case tar.TypeLink:
			f.Link = "/" + path.Clean(h.Linkname)
		case tar.TypeReg:
			if f.Text, err = io.ReadAll(t); err != nil {
				return err
			}
		default:
			continue
		}
		if !needed(f) {
			continue
		}
		if err := add(f); err != nil {
			return err
		}
	}
}

// dropped are folders of packages that nobody on the device reads.
var dropped = []string{
	"usr/share/man/", "usr/share/locale/", "usr/share/lintian/", "usr/share/bash-completion/",
	"usr/share/gitweb/", "usr/share/initramfs-tools/", "usr/share/perl5/", "usr/share/gcc",
	"usr/share/bug/", "etc/bash_completion.d/", "etc/perl/", "var/", "etc/ld.so.conf.d/",
	"usr/lib/udev/", "lib/udev/", "lib/crda/", "lib/systemd/", "etc/cron.d/", "etc/e2scrub",
	"usr/bin/chattr", "usr/bin/lsattr", "usr/sbin/",
}

// formatter makes file systems. Nothing else that is for administrators is needed.
const formatter = "sbin/mke2fs"

// needed says whether the device needs a file. Of documentation it keeps the
// licences; of git it leaves out what is written in Perl or Python.
func needed(f File) bool {
	for _, d := range dropped {
		if strings.HasPrefix(f.Name, d) {
			return false
		}
	}
	if strings.HasPrefix(f.Name, "usr/share/doc/") {
		return path.Base(f.Name) == "copyright"
	}
	if strings.HasPrefix(f.Name, "sbin/") && f.Name != formatter || strings.Contains(f.Name, "/e2fsprogs/") {
		return false
	}
	if strings.Contains(f.Name, "/gconv/") || strings.Contains(f.Name, "/git-core/templates/hooks/") {
		return false
	}
	line, _, _ := bytes.Cut(f.Text[:min(len(f.Text), 64)], []byte("\n"))
	script := bytes.HasPrefix(line, []byte("#!"))
	return !script || !(bytes.Contains(line, []byte("perl")) || bytes.Contains(line, []byte("python")))
}
