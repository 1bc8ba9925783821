package config

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
)

// takeOver reads the file prompt64.json that the owner put on the boot
// partition over the settings in force, once.
func (s *Store) takeOver() {
	b := s.options.Boot
	if b == nil {
		return
	}
	data, found, err := findFile(b, dropFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.untake()
		return
	case err != nil:
		s.state.warn("%s on the boot partition cannot be read: %s", found, inWords(err))
		return
	}
	digest := fmt.Sprintf("%x", sha256.Sum256(data))
	if s.secrets.Taken == digest { // and the power failed before it was removed
		s.erase(found)
		return
	}
	r := &reader{options: s.options}
	next, err := read(r, data, s.settings)
	if err == nil && !r.password.Empty() {
		err = next.SetPassword(r.password.Reveal())
	}
	if err != nil {
		s.refuse(found, reason(err))
		return
	}
	s.take(next, r, found, digest)
}

// take puts the owner's settings in force, saved or not: whoever holds the card
// in hand may say how the device is to be.
func (s *Store) take(next Settings, r *reader, found, digest string) {
	before := s.state
	warnings := r.warnings(next)
	s.settings = next
	s.state = State{Source: Loaded, Setup: next.Password.Empty(), Reset: before.Reset, Warnings: warnings}
	if err := s.saveTwice(next, digest); err != nil {
		s.state.problem("settings: those of %s are in force, but were not saved: %s; the file stays on the boot partition", found, inWords(err))
		return
	}
	s.options.Log.Info("settings taken over", "file", found)
	s.erase(found)
}

func (s *Store) erase(found string) {
	if err := s.options.Boot.Erase(found); err != nil {
		s.cardProblem("settings: %s was taken over, but could not be removed from the boot partition (%s); it is ignored from now on: remove it, since it may hold passwords", found, inWords(err))
		return
	}
	// An old note would only mislead; where it cannot go, it stays.
	_ = s.options.Boot.Erase(noteFile)
	s.untake()
}

// untake forgets which file was taken over, once it is gone: the owner may drop
// the same one again, to get a forgotten password back.
func (s *Store) untake() {
	if s.secrets.Taken == "" || s.state.Source != Loaded || locked(s.settings, s.state) {
		return
	}
	if err := s.saveTwice(s.settings, ""); err != nil {
		s.state.warn("that %s is gone could not be noted: %s", dropFile, inWords(err))
	}
}

// refuse leaves the file where the owner can mend it, and says beside it why.
func (s *Store) refuse(found, why string) {
	s.cardProblem("settings: %s on the boot partition was not taken over: %s; correct it there or remove it, and start again", found, why)
	note := fmt.Sprintf("%s was not taken over:\r\n%s\r\nCorrect it and start the device again.\r\n", found, why)
	if err := s.options.Boot.WriteFile(noteFile, []byte(note)); err != nil {
		s.state.warn("%s could not be written: %s", noteFile, inWords(err))
	}
}
