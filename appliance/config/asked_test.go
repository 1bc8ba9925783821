package config

import (
	"errors"
	"strings"
	"syscall"
	"testing"
)

func TestWishForAResetIsFoundWithItsTries(t *testing.T) {
	for _, c := range []struct {
		name, text string
		asked      bool
		tries      int
	}{
		{"prompt64-reset", "", true, 0},
		{"prompt64-reset.txt", "please\n", true, 0},
		{"prompt64-reset", "Everything is to be erased. Tries: 3\r\n", true, 3},
		{"prompt64-reset", "Everything is to be erased. Tries: -3\r\n", true, 0},
		{"prompt64.json", "{}", false, 0},
	} {
		asked, tries, err := ResetAsked(newCard(c.name, c.text))
		if asked != c.asked || tries != c.tries || err != nil {
			t.Errorf("%s with %q: %v, %d, %v", c.name, c.text, asked, tries, err)
		}
	}
	if asked, _, err := ResetAsked(&card{broken: syscall.EIO}); asked || !errors.Is(err, syscall.EIO) {
		t.Errorf("a boot partition that fails: %v, %v", asked, err)
	}
}

func TestTryIsNotedInTheOwnersFileOrInOneOfOurOwn(t *testing.T) {
	for name, c := range map[string]*card{
		"prompt64-reset.txt": newCard("prompt64-reset.txt", "owner's"), "prompt64-reset": newCard("other", ""),
	} {
		if err := NoteTry(c, 2); err != nil {
			t.Fatal(err)
		}
		if asked, tries, err := ResetAsked(c); !asked || tries != 2 || err != nil || !strings.Contains(c.files[name], "Tries: 2") {
			t.Errorf("%s: %v, %d, %v: %q", name, asked, tries, err, c.files)
		}
	}
}

// forgetful is a card that says it has written, and has not.
type forgetful struct{ *card }

func (forgetful) WriteFile(string, []byte) error { return nil }

func TestTryThatCannotBeNotedFails(t *testing.T) {
	for want, b := range map[string]Boot{
		"does not keep": forgetful{newCard("prompt64-reset", "")},
		"no space":      &card{files: map[string]string{}, write: syscall.ENOSPC},
		"input/output":  &card{broken: syscall.EIO},
	} {
		if err := NoteTry(b, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}
