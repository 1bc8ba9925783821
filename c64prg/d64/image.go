package d64

import (
	"errors"
	"fmt"
	"strings"
)

// ErrTooLarge says that a program does not fit on a disk.
var ErrTooLarge = errors.New("the program does not fit on a disk")

// nameSize is the length of a disk's or a file's name.
const nameSize = 16

// Disk is what an image is made from.
type Disk struct {
	Name string // of the disk; at most 16 characters, see File
	ID   string // two characters
	File string // of the program: letters, digits and signs of the C64's keyboard
	Data []byte // the program with its load address
}

// Image returns the disk image, which is always Size bytes long. Lower case
// letters become the C64's plain ones, which it shows as capitals at power-on.
func (d Disk) Image() ([]byte, error) {
	disk, err := petscii(d.Name, nameSize)
	if err != nil {
		return nil, fmt.Errorf("disk image: name of the disk: %w", err)
	}
	id, err := petscii(d.ID, 2)
	if err != nil {
		return nil, fmt.Errorf("disk image: id: %w", err)
	}
	file, err := petscii(d.File, nameSize)
	if err != nil {
		return nil, fmt.Errorf("disk image: name of the file: %w", err)
	}
	if len(d.Data) == 0 {
		return nil, errors.New("disk image: the program is empty")
	}
	w := newWriter()
	first, blocks, err := w.file(d.Data)
	if err != nil {
		return nil, fmt.Errorf("disk image: %w", err)
	}
	w.directory(file, first, blocks)
	w.header(disk, id)
	return w.image, nil
}

// Prompt64 returns a disk with the C64's program, under the name that the
// README and the bridge's page tell.
func Prompt64(prg []byte) ([]byte, error) {
	return Disk{Name: "prompt64", ID: "64", File: "prompt64", Data: prg}.Image()
}

// petscii turns a name into what the drive compares, padded with shifted blanks.
func petscii(name string, size int) ([]byte, error) {
	if name == "" || len(name) > size {
		return nil, fmt.Errorf("%q: it has 1 to %d characters", name, size)
	}
	out := []byte(strings.ToUpper(name))
	for _, b := range out {
		if b < ' ' || b > ']' || strings.IndexByte("*?:,=$\"@", b) >= 0 {
			return nil, fmt.Errorf("%q: %q means something else to the drive", name, b)
		}
	}
	for len(out) < size {
		out = append(out, shiftBlank)
	}
	return out, nil
}

// shiftBlank ends a name.
const shiftBlank = 0xa0
