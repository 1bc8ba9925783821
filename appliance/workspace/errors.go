package workspace

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// The refusals that a caller may branch on. Each text fits on the screen of a
// C64 as it is, also behind a short name and a colon.
var (
	ErrNotFound     = errors.New("no such folder")
	ErrNotFolder    = errors.New("not a folder")
	ErrOutside      = errors.New("outside the workspace folder")
	ErrAmbiguous    = errors.New("several folders match, rename one")
	ErrNoRepository = errors.New("not a git repository")
	ErrNoGit        = errors.New("git is not installed")
	ErrTimeout      = errors.New("git took too long")
	ErrUnsafe       = errors.New("git data outside the workspace folder")
	ErrUnsupported  = errors.New("git repository not supported")
	ErrDamaged      = errors.New("git repository damaged")
	ErrNoRow        = errors.New("no such change, list them again")
)

// maxNamed bounds the name in front of an error's text, so that the whole
// still fits in one frame.
const maxNamed = 32

// named puts a name in front of err, its tail only if it is long.
func named(name string, err error) error {
	if name == "" {
		return err
	}
	if n := utf8.RuneCountInString(name); n > maxNamed {
		runes := []rune(name)
		name = "..." + string(runes[n-maxNamed+3:])
	}
	return fmt.Errorf("%s: %w", name, err)
}
