package card

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/prompt64/prompt64/appliance/update"
)

// The boot files, below the boot partition. gokrazy's init looks into cmdline.txt
// for the flag, so that one comes last.
var bootFiles = []string{"loader/entries/gokrazy.conf", "cmdline.txt"}

// Flags of gokrazy's init (gokrazy.go, maybeSwitchToInactive): it replaces the first
// by the second, which nobody reads, before it starts the other root once.
const (
	tryFlag = "gokrazy.try_boot_inactive=1"
	wasFlag = "gokrazy.switch_on_boot=1"
)

// maxBootFile is one sector, which a card writes as a whole.
const maxBootFile = 512

// rootArg is the root= that gokrazy's packer writes. PARTNROFF counts from the
// first partition.
var rootArg = regexp.MustCompile(`(root=\S+/PARTNROFF=)([0-9])`)

// rootOf returns the slot that a kernel's command line names.
func rootOf(line string) (update.Slot, error) {
	found := rootArg.FindAllStringSubmatch(line, -1)
	if len(found) != 1 {
		return 0, fmt.Errorf("%d root partitions are named in %q", len(found), line)
	}
	n, err := strconv.Atoi(found[0][2])
	slot := update.Slot(n + 1)
	if err != nil || !slot.Valid() {
		return 0, fmt.Errorf("partition %d is no root partition", slot)
	}
	return slot, nil
}

// parseBootFile tells what a boot file says.
func parseBootFile(name, text string) (update.BootFile, error) {
	slot, err := rootOf(text)
	if err != nil {
		return update.BootFile{}, fmt.Errorf("%s: %w", name, err)
	}
	return update.BootFile{
		Name: name, Root: slot,
		Try: strings.Contains(text, tryFlag), Was: strings.Contains(text, wasFlag),
	}, nil
}

// rewritten is the text of a boot file with another root and flag, in exactly as many
// bytes. The packer leaves blanks at the end for that.
func rewritten(text string, root update.Slot, try bool) (string, error) {
	line := strings.TrimRight(text, " \n\x00")
	end := ""
	if strings.HasSuffix(text, "\n") {
		end = "\n"
	}
	for _, flag := range []string{" " + tryFlag, " " + wasFlag} {
		line = strings.ReplaceAll(line, flag, "")
	}
	line = rootArg.ReplaceAllString(line, "${1}"+strconv.Itoa(int(root)-1))
	line = strings.TrimRight(line, " ")
	if try {
		line += " " + tryFlag
	}
	blanks := len(text) - len(line) - len(end)
	if blanks < 0 {
		return "", errors.New("there is no room for the flag of a trial")
	}
	return line + strings.Repeat(" ", blanks) + end, nil
}

// rewrite overwrites a boot file in place.
func rewrite(path string, root update.Slot, try bool) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text, err := io.ReadAll(io.LimitReader(f, maxBootFile+1))
	if err != nil {
		return err
	}
	if len(text) > maxBootFile {
		return fmt.Errorf("%s is longer than one sector", path)
	}
	if _, err := rootOf(string(text)); err != nil {
		return err
	}
	next, err := rewritten(string(text), root, try)
	if err != nil {
		return err
	}
	if next == string(text) {
		return nil
	}
	if _, err := f.WriteAt([]byte(next), 0); err != nil {
		return err
	}
	return f.Sync()
}
