package flash

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Nothing in this file was run: it follows diskutil(8), and needs a Mac to be tried.

// inspectDevice asks diskutil. A raw device (/dev/rdisk4) is the faster one.
func inspectDevice(path string) (Disk, error) {
	name := strings.TrimPrefix(filepath.Base(path), "r")
	facts, err := diskutil("info", "-plist", name)
	if err != nil {
		return Disk{}, fmt.Errorf("%s is no disk: %w", path, err)
	}
	d := Disk{Path: "/dev/r" + name, Name: name, Model: facts["MediaName"]}
	d.Size, err = strconv.ParseInt(facts["Size"], 10, 64)
	if err != nil {
		return Disk{}, fmt.Errorf("%s does not tell its size", path)
	}
	d.Removable = facts["Internal"] == "false" || facts["RemovableMedia"] == "true"
	d.ReadOnly = facts["WritableMedia"] == "false"
	if facts["WholeDisk"] == "false" {
		d.PartOf = "/dev/" + facts["ParentWholeDisk"]
		return d, nil
	}
	out, err := exec.Command("/sbin/mount").Output()
	if err != nil {
		return Disk{}, fmt.Errorf("list what is mounted: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		if source, rest, ok := strings.Cut(line, " on "); ok && strings.HasPrefix(source, "/dev/"+name+"s") {
			at, _, _ := strings.Cut(rest, " (")
			d.Mounted = append(d.Mounted, at)
			d.System = d.System || at == "/"
		}
	}
	return d, nil
}

// diskutil reads the scalars of a property list: key, value, key, value.
func diskutil(args ...string) (map[string]string, error) {
	out, err := exec.Command("/usr/sbin/diskutil", args...).Output()
	if err != nil {
		return nil, err
	}
	facts, key := map[string]string{}, ""
	for d := xml.NewDecoder(bytes.NewReader(out)); ; {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return facts, nil
		}
		if err != nil {
			return nil, err
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "true", "false":
			facts[key] = start.Name.Local
		case "key", "string", "integer":
			var text string
			if err := d.DecodeElement(&text, &start); err != nil {
				return nil, err
			}
			if start.Name.Local == "key" {
				key = text
			} else {
				facts[key] = text
			}
		}
	}
}

type disk struct {
	*os.File
	size int64
}

func openDevice(d Disk) (Device, error) {
	flags := os.O_RDWR
	if d.File {
		flags |= os.O_CREATE
	} else {
		flags |= unix.O_EXLOCK | unix.O_NONBLOCK
	}
	f, err := os.OpenFile(d.Path, flags, 0o644)
	if err != nil {
		return nil, err
	}
	return &disk{f, d.Size}, nil
}

func (d *disk) Size() int64 { return d.size }

// Forget has the system keep nothing of what is read.
func (d *disk) Forget() error {
	_, err := unix.FcntlInt(d.Fd(), unix.F_NOCACHE, 1)
	return err
}
