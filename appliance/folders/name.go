package folders

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Errors that callers branch on, in words for the owner.
var (
	ErrName    = errors.New("1 to 60 letters, digits, spaces and - _ . + are allowed, beginning with a letter or digit and not ending with a dot")
	ErrTaken   = errors.New("there is a workspace or file of this name already: choose another name")
	ErrMissing = errors.New("there is no such workspace")
	ErrInUse   = errors.New("a conversation works in this workspace: end it on the C64 first")
	ErrAddress = errors.New("an address that begins with https:// is allowed, without a name or password in it, such as https://example.com/game.git")
	ErrToken   = errors.New("letters, digits and signs are allowed, without spaces, up to 500")
	ErrBusy    = errors.New("another repository is being cloned: wait for it to end")
)

const maxName = 60

// CheckName reports why a name cannot be that of a new workspace.
func CheckName(name string) error {
	if name == "" || utf8.RuneCountInString(name) > maxName || len(name) > 200 || !utf8.ValidString(name) {
		return ErrName
	}
	for i, r := range name {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
		case i > 0 && strings.ContainsRune(" -_.+", r):
		case i > 0 && unicode.IsMark(r):
		default:
			return ErrName
		}
	}
	if last := name[len(name)-1]; last == '.' || last == ' ' {
		return ErrName
	}
	return nil
}
