package build

import (
	"fmt"
	"strings"
)

// Board is a machine that an image is for.
type Board struct {
	Name     string // for the command line
	Arch     string // as Go calls it
	Instance string // folder of its config.json, from the project's top
	Radio    bool   // it has the radios of a Raspberry Pi
	// Bytes is the image's size, at least. It is a size that QEMU's model of the Pi
	// accepts or as small as the packer allows.
	Bytes int64
}

// smallest is what the packer's partitions need, with 96 MiB for /perm.
const smallest = 1200<<20 + 8192

// Boards are all machines, the Raspberry Pi first.
func Boards() []Board {
	return []Board{
		{Name: "rpi", Arch: "arm64", Instance: ".", Radio: true, Bytes: smallest},
		{Name: "qemu-amd64", Arch: "amd64", Instance: "image/qemu-amd64", Bytes: smallest},
		{Name: "qemu-arm64", Arch: "arm64", Instance: "image/qemu-arm64", Bytes: smallest},
	}
}

// BoardNamed finds a board.
func BoardNamed(name string) (Board, error) {
	var names []string
	for _, b := range Boards() {
		if b.Name == name {
			return b, nil
		}
		names = append(names, b.Name)
	}
	return Board{}, fmt.Errorf("there is no board %q: choose one of %s", name, strings.Join(names, ", "))
}
