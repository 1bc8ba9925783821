package config

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// Store holds the settings of a data folder. Its methods may be called from
// several goroutines. Readers never wait for the disk.
type Store struct {
	options Options

	writing sync.Mutex  // one save at a time
	secrets secretsFile // in force; guarded by writing

	mu       sync.Mutex
	settings Settings
	state    State
	saving   string   // why the last save failed
	card     []string // what is wrong with the boot partition's files; no save mends that
	subs     map[chan Settings]struct{}
}

// Open reads the settings of a folder and looks for files that the owner dropped
// on the boot partition. It never fails: State says what is wrong.
func Open(o Options) *Store {
	o = o.withDefaults()
	s := &Store{options: o, subs: map[chan Settings]struct{}{}}
	s.start()
	for _, words := range s.State().Problems {
		o.Log.Error(words)
	}
	for _, words := range s.state.Warnings {
		o.Log.Warn("settings: " + words)
	}
	return s
}

// Settings returns a copy of the settings in force.
func (s *Store) Settings() Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.settings.Clone()
}

// State tells how the settings are.
func (s *Store) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.state.clone()
	st.Boot = s.options.Boot != nil
	st.Card = slices.Clone(s.card)
	st.Problems = append(st.Problems, st.Card...)
	if s.saving != "" {
		st.problem("%s", s.saving)
	}
	return st
}

// Update changes the settings: change works on a copy, which is checked, saved
// and then published. An error means that the former settings are in force and
// on the disk; an Invalid tells which fields were refused. While the settings or
// their password are lost nothing can be saved.
func (s *Store) Update(change func(*Settings) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	former, state := s.Settings(), s.State()
	if locked(former, state) {
		return fmt.Errorf("save settings: the former ones or their password are lost: %s", s.options.wayBack())
	}
	next := former.Clone()
	if err := change(&next); err != nil {
		return err
	}
	if err := Validate(next, s.options); err != nil {
		return fmt.Errorf("save settings: %w", err)
	}
	warnings, err := s.save(next, s.secrets.Taken)
	if err != nil {
		why := inWords(err)
		s.mu.Lock()
		s.saving = "the last change of the settings was not saved: " + why
		s.mu.Unlock()
		return fmt.Errorf("save settings: %s", why)
	}
	if !next.Password.hash.Equal(former.Password.hash) {
		// The last good settings must not bring the former password back.
		again, err := s.save(next, s.secrets.Taken)
		warnings = again
		if err != nil {
			warnings = append(warnings, "settings: saved, but the copy of the former ones still has the former password: "+inWords(err))
		}
	}
	s.publish(next, State{Source: Loaded, Setup: next.Password.Empty(), Problems: warnings})
	return nil
}

// cardProblem notes, while the store is opened, what is wrong with a file on the boot
// partition. It stays so until the next start, whatever is saved meanwhile.
func (s *Store) cardProblem(format string, args ...any) {
	s.card = append(s.card, fmt.Sprintf(format, args...))
}

// save writes settings and their secrets. The caller holds writing.
func (s *Store) save(next Settings, taken string) (warnings []string, err error) {
	secrets := secretsOf(next, taken)
	data, name := secrets.encode(s.secrets)
	doc := indent(write(next, view{file: name}))
	if warnings, err = commit(s.options, doc, data, name); err != nil {
		return nil, err
	}
	f, err := readSecrets(s.options.files, name)
	if err != nil {
		return append(warnings, "settings: saved, but they do not read back: "+err.Error()), nil
	}
	s.secrets = f
	return warnings, nil
}

// publish puts settings in force and tells everybody.
func (s *Store) publish(next Settings, state State) {
	r := &reader{options: s.options}
	doc := write(next, view{secrets: showPlain})
	if _, err := read(r, doc, Settings{}); err == nil {
		state.Warnings = append(r.warnings(next), state.Warnings...)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	state.Reset = s.state.Reset
	s.settings, s.state, s.saving = next.Clone(), state, ""
	for ch := range maps.Keys(s.subs) {
		offer(ch, s.settings.Clone())
	}
}
