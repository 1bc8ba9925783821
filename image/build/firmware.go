package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prompt64/prompt64/appliance/agent/fetch"
)

// Firmware says where the radios' firmware comes from. Without any of it none is
// built in, and the boards that lose Wi-Fi are named.
type Firmware struct {
	Folder   string       // on this computer; empty: Address
	Address  string       // https, beneath which the files are published; empty: none
	Client   *http.Client // for Address; nil: an ordinary one
	Declined bool         // the owner wants none: nobody is told what it costs
	Needed   bool         // the card is to join a Wi-Fi network: without it there is no image
}

// firmwareLicence is what whoever builds it in should know. The licences themselves
// are in the publisher's debian/config/brcm80211/copyright.
const firmwareLicence = "the radios' firmware is no part of this project: Broadcom's and Cypress's licences let it be passed on unmodified only, and only for their own radios"

// addFirmware adds the radios' firmware; what is not to be had is named by the boards
// that lose Wi-Fi. The table of what each country allows comes with the tools'
// packages.
func (r *rootFiles) addFirmware(ctx context.Context, o Options) error {
	list, err := radios()
	if err != nil {
		return err
	}
	have, why, err := o.firmware(ctx, list)
	if err != nil {
		return err
	}
	for installAs, from := range have {
		r.files["lib/firmware/"+installAs] = file{mode: 0o644, from: from}
	}
	if len(have) > 0 {
		o.note("    %s", firmwareLicence)
	}
	if lost, all := lostBoards(list, have); len(lost) > 0 && !o.Firmware.Declined {
		if o.Firmware.refuses(all) {
			return fmt.Errorf("the card is to join a Wi-Fi network and could not on %s: %s. %s. With --firmware none it is built all the same, for Ethernet", strings.Join(lost, ", "), why, firmwareHelp)
		}
		r.missing = append(r.missing, fmt.Sprintf("no Wi-Fi on %s: %s. %s", strings.Join(lost, ", "), why, firmwareHelp))
	}
	if _, ok := r.files[radioTable]; !ok {
		r.missing = append(r.missing, "no regulatory.db: Wi-Fi keeps to channels that are free everywhere (build with the tools)")
	}
	return nil
}

// firmware lists what is built in of the listed files.
func (r *rootFiles) firmware(list []radio) (out []component) {
	for _, f := range list {
		if name := "lib/firmware/" + f.installAs; r.files[name].from != "" {
			out = append(out, component{Type: "firmware", Name: name, Hashes: sha256Of(f.digest.String())})
		}
	}
	return out
}

// firmwareHelp says how the firmware comes into the image after all.
const firmwareHelp = "Build again where the network reaches it, or give its folder with --firmware DIR: image/build/firmware.tsv lists the files and where they are published"

// refuses says whether there is no image where boards lose Wi-Fi, all of them or some.
// A folder of the owner's may have the firmware of his own board alone.
func (f Firmware) refuses(all bool) bool { return f.Needed && (all || f.Folder == "") }

// lostBoards are the machines that miss a file of theirs, and whether each does.
func lostBoards(list []radio, have map[string]string) (lost []string, all bool) {
	boards, missing := map[string]bool{}, map[string]bool{}
	for _, want := range list {
		board := want.board()
		if board == "" {
			continue
		}
		boards[board] = true
		if have[want.installAs] == "" {
			missing[board] = true
		}
	}
	return slices.Sorted(maps.Keys(missing)), len(missing) == len(boards)
}

// firmware finds the listed files on this computer, by the names they are installed
// as, and says why one that is not there is not.
func (o Options) firmware(ctx context.Context, list []radio) (have map[string]string, why string, err error) {
	have = map[string]string{}
	switch {
	case o.Firmware.Declined:
		return have, "", nil
	case o.Firmware.Folder == "" && o.Firmware.Address == "":
		return have, "the radio's firmware is missing", nil
	case o.Firmware.Folder == "":
		return newRadioGetter(o).get(ctx, list)
	}
	for _, want := range list {
		from, err := findFirmware(o.Firmware.Folder, want)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		have[want.installAs] = from
	}
	return have, "the radio's firmware is missing in " + o.Firmware.Folder, nil
}

// findFirmware finds a file by its names, below any folders: the one it is installed
// as or the one in its maker's repository. Another content than listed is an error.
func findFirmware(folder string, want radio) (string, error) {
	for _, name := range []string{want.installAs, want.source, filepath.Base(want.installAs), filepath.Base(want.source)} {
		at := filepath.Join(folder, name)
		sum, err := digestOf(at)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("radio firmware: %w", err)
		}
		if sum != want.digest {
			return "", fmt.Errorf("radio firmware %s is not the listed version: its digest is %s, not %s", at, sum, want.digest)
		}
		return at, nil
	}
	return "", fs.ErrNotExist
}

func digestOf(path string) (fetch.Digest, error) {
	f, err := os.Open(path)
	if err != nil {
		return fetch.Digest{}, err
	}
	defer f.Close()
	sum, _, err := fetch.Sum(f)
	return sum, err
}
