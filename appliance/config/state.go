package config

import (
	"fmt"
	"slices"
)

// Source says where the settings in force come from.
type Source uint8

// The sources.
const (
	Fresh    Source = iota // there never were any: the defaults
	Loaded                 // config.json
	LastGood               // config.json.last-good, since config.json is no good
	Lost                   // nowhere: there were some, none can be read; closed defaults
)

// String names the source as the C64's STATUS tab does.
func (s Source) String() string {
	names := []string{"none yet", "ok", "last good in use", "lost, closed"}
	if int(s) < len(names) {
		return names[s]
	}
	return fmt.Sprintf("source %d", uint8(s))
}

// State tells how the settings are, for the pages and STATUS.
type State struct {
	Source Source
	// Setup says that Set-up may set the first password. Only a device that
	// never had settings opens it by itself, or the owner by a file.
	Setup bool
	// Reset says that this start carried out a reset, for those who keep more
	// than settings.
	Reset bool
	// Boot says that there is a boot partition, on which the owner can drop files.
	Boot bool
	// Problems are what is wrong and what to do, in words.
	Problems []string
	// Card are those of them that lie on the boot partition, and that no save mends.
	Card []string
	// Warnings are what was noticed and does no harm.
	Warnings []string
}

// Status is the state in a few words.
func (s State) Status() string {
	if s.Source == Loaded && len(s.Problems) > 0 {
		return "see pages"
	}
	return s.Source.String()
}

func (s State) clone() State {
	s.Problems = slices.Clone(s.Problems)
	s.Card = slices.Clone(s.Card)
	s.Warnings = slices.Clone(s.Warnings)
	return s
}

func (s *State) problem(format string, args ...any) {
	s.Problems = append(s.Problems, fmt.Sprintf(format, args...))
}

func (s *State) warn(format string, args ...any) {
	s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...))
}
