package build

import (
	_ "embed" // the list of firmware
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/prompt64/prompt64/appliance/agent/fetch"
)

// firmwareList says which radio firmware is known, and its digests. The files may
// be passed on unchanged, for the radios that they are for, and are not part of
// this project.
//
//go:embed firmware.tsv
var firmwareList string

// radio is one file of the list.
type radio struct {
	installAs, source string
	bytes             int64
	digest            fetch.Digest
}

// radios reads the list.
func radios() ([]radio, error) {
	var out []radio
	for line := range strings.Lines(firmwareList) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || strings.HasPrefix(line, "install_as\t") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 4 || !filepath.IsLocal(f[0]) || !filepath.IsLocal(f[1]) {
			return nil, fmt.Errorf("list of radio firmware: %q", line)
		}
		size, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil || size <= 0 {
			return nil, fmt.Errorf("list of radio firmware: %q is no size", f[2])
		}
		digest, err := fetch.ParseDigest(f[3])
		if err != nil {
			return nil, fmt.Errorf("list of radio firmware: %w", err)
		}
		out = append(out, radio{f[0], f[1], size, digest})
	}
	return out, nil
}

// published is how the list says where its files are.
var published = regexp.MustCompile(`in the repository (\S+/\S+) at commit ([0-9a-f]{40})`)

// FirmwareAddress is the address beneath which the listed files are published.
func FirmwareAddress() (string, error) {
	found := published.FindStringSubmatch(firmwareList)
	if found == nil {
		return "", errors.New("list of radio firmware: it does not say where the files are published")
	}
	return "https://raw.githubusercontent.com/" + found[1] + "/" + found[2], nil
}

// radioBoards are what people call the machines that the firmware's names are for.
var radioBoards = map[string]string{
	"raspberrypi,3-model-b":        "Raspberry Pi 3B",
	"raspberrypi,3-model-a-plus":   "Raspberry Pi 3A+",
	"raspberrypi,3-model-b-plus":   "Raspberry Pi 3B+",
	"raspberrypi,4-model-b":        "Raspberry Pi 4B",
	"raspberrypi,4-compute-module": "Compute Module 4",
	"raspberrypi,5-model-b":        "Raspberry Pi 5",
	"raspberrypi,model-zero-2-w":   "Raspberry Pi Zero 2 W",
	"raspberrypi,model-zero-w":     "Raspberry Pi Zero W",
}

// board is the machine that a file is for alone, empty if there is no one machine.
func (r radio) board() string {
	for part, board := range radioBoards {
		if strings.Contains(r.installAs, "."+part+".") {
			return board
		}
	}
	return ""
}
