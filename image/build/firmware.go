package build

import (
	"crypto/sha256"
	_ "embed" // the list of firmware
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// firmwareList says which radio firmware is known, and its digests. The files may
// be passed on unchanged, for the radios that they are for, and are not part of
// this project.
//
//go:embed firmware.tsv
var firmwareList string

// radio is one file of the list.
type radio struct{ installAs, source, sha256 string }

// radios reads the list.
func radios() ([]radio, error) {
	var out []radio
	for line := range strings.Lines(firmwareList) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || strings.HasPrefix(line, "install_as\t") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 4 || len(f[3]) != 2*sha256.Size || !filepath.IsLocal(f[0]) {
			return nil, fmt.Errorf("list of radio firmware: %q", line)
		}
		out = append(out, radio{f[0], f[1], f[3]})
	}
	return out, nil
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

// addFirmware adds the radios' firmware from a folder, in which a file has the name
// it is installed as or the one in its maker's repository, below any folders. Each
// is checked against its digest; what is not there is named by the boards that lose
// Wi-Fi. The table of what each country allows comes with the tools' packages.
func (r *rootFiles) addFirmware(o Options) error {
	list, err := radios()
	if err != nil {
		return err
	}
	missing := map[string]bool{}
	for _, want := range list {
		from, err := findFirmware(o.Firmware, want)
		switch {
		case err == nil:
			r.files["lib/firmware/"+want.installAs] = file{mode: 0o644, from: from}
		case errors.Is(err, fs.ErrNotExist):
			for part, board := range radioBoards {
				if strings.Contains(want.installAs, "."+part+".") {
					missing[board] = true
				}
			}
		default:
			return err
		}
	}
	if len(missing) > 0 {
		r.missing = append(r.missing, "no Wi-Fi on "+strings.Join(slices.Sorted(maps.Keys(missing)), ", ")+
			": the radio's firmware is missing (give its folder with --firmware)")
	}
	if _, ok := r.files[radioTable]; !ok {
		r.missing = append(r.missing, "no regulatory.db: Wi-Fi keeps to channels that are free everywhere (build with the tools)")
	}
	return nil
}

// findFirmware finds a file by its names; another content than listed is an error.
func findFirmware(folder string, want radio) (string, error) {
	if folder == "" {
		return "", fs.ErrNotExist
	}
	for _, name := range []string{want.installAs, want.source, filepath.Base(want.installAs), filepath.Base(want.source)} {
		at := filepath.Join(folder, name)
		text, err := os.ReadFile(at)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("radio firmware: %w", err)
		}
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != want.sha256 {
			return "", fmt.Errorf("radio firmware %s is not the listed version: its digest is %x, not %s", at, sum, want.sha256)
		}
		return at, nil
	}
	return "", fs.ErrNotExist
}
