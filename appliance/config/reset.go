package config

import (
	"errors"
	"io/fs"
	"strings"
)

// reset carries out what the file prompt64-reset asks for, once: a note in the
// data folder says that it was done where the file itself cannot be removed.
// It reports whether it was asked for now.
func (s *Store) reset() bool {
	if s.options.Boot == nil {
		return false
	}
	_, done := s.options.files.Read(resetName)
	_, found, err := findFile(s.options.Boot, resetFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if done == nil {
			_ = s.options.files.Remove(resetName) // the next start tries again
		}
		return false
	case err != nil: // a partition that fails must not cost the settings
		s.state.warn("the boot partition cannot be read: %s", inWords(err))
		return false
	}
	wiped := done != nil
	if wiped {
		if err := s.forget(); err != nil {
			s.state.problem("settings: the reset is not complete: %s; the former settings may come back", inWords(err))
			return true
		}
	}
	if err := s.options.Boot.Erase(found); err != nil {
		s.cardProblem("settings: they are reset; the file %s could not be removed from the boot partition (%s) and is ignored from now on: remove it", found, inWords(err))
		return wiped
	}
	if err := s.options.files.Remove(resetName); err != nil {
		s.state.warn("the note of the reset could not be removed: %s", inWords(err))
	}
	return wiped
}

// forget removes all settings, and only then notes that it did, so that a reset
// that is cut off is done again.
func (s *Store) forget() error {
	fs := s.options.files
	d, err := fs.Dir()
	if err != nil {
		return err
	}
	defer d.Close()
	if err := clearMarker(s.options.Marker); err != nil {
		return err
	}
	names, err := fs.List()
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasPrefix(name, configName) || isSecretsFile(name) || isLeftover(name) {
			err = errors.Join(err, fs.Remove(name))
		}
	}
	if err = errors.Join(err, d.Sync()); err != nil {
		return err
	}
	p, err := fs.Write(resetName, []byte("The settings were reset.\n"))
	if err != nil {
		return err
	}
	defer p.Discard()
	return errors.Join(p.Sync(), p.Replace(), d.Sync())
}
