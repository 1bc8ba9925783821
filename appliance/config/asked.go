package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
)

// tried is what the file prompt64-reset says once something was tried for it.
const tried = "Everything is to be erased. Tries: %d\r\n"

// ResetAsked reports whether the file that asks for a reset is on the boot partition,
// and how many tries [NoteTry] noted in it.
func ResetAsked(b Boot) (asked bool, tries int, err error) {
	text, _, err := findFile(b, resetFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, 0, nil
	case err != nil:
		return false, 0, fmt.Errorf("read the boot partition: %w", err)
	}
	if n, err := fmt.Sscanf(string(text), tried, &tries); n != 1 || err != nil || tries < 0 {
		return true, 0, nil // the owner's own
	}
	return true, tries, nil
}

// NoteTry puts the file that asks for a reset on the boot partition, or finds the
// owner's, and notes in it how often that was tried. It fails if the note does not
// read back: a worn-out card drops what is written.
func NoteTry(b Boot, tries int) error {
	_, found, err := findFile(b, resetFile)
	if errors.Is(err, fs.ErrNotExist) {
		found, err = resetFile, nil
	}
	text := fmt.Appendf(nil, tried, tries)
	if err == nil {
		err = b.WriteFile(found, text)
	}
	var got []byte
	if err == nil {
		got, err = b.ReadFile(found)
	}
	if err == nil && !bytes.Equal(got, text) {
		err = errors.New("the card does not keep what is written")
	}
	if err != nil {
		return fmt.Errorf("write to the boot partition: %w", err)
	}
	return nil
}
