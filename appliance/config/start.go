package config

import "errors"

// start brings the settings into force: a reset first, then what the disk says,
// then what the owner dropped. Nobody else has the Store yet.
func (s *Store) start() {
	if err := s.options.files.Make(); err != nil {
		s.state.problem("settings: the folder %s cannot be made: %s", s.options.Dir, inWords(err))
	}
	wiped := s.reset()
	before := s.state
	d, state := load(s.options)
	if wiped {
		// The disk may have kept what it was told to forget.
		d, state = document{settings: Default()}, State{Source: Fresh, Setup: true, Reset: true}
	}
	state.Problems = append(before.Problems, state.Problems...)
	state.Warnings = append(before.Warnings, state.Warnings...)
	s.settings, s.state, s.secrets = d.settings, state, d.secrets
	if err := s.probe(); err != nil {
		s.state.problem("settings: nothing can be saved: %s", inWords(err))
		if s.state.Source == Fresh && !wiped {
			// A disk that is not as it should be may have had settings.
			s.state.Source, s.state.Setup = Lost, false
		}
	}
	s.absorb(d)
	s.takeOver()
}

// probe finds out whether settings could be saved.
func (s *Store) probe() error {
	p, err := s.options.files.Write(probeName, []byte("probe\n"))
	if err != nil {
		return err
	}
	defer p.Discard()
	return p.Sync()
}

// absorb moves secrets that somebody wrote into config.json to where they
// belong. That takes two saves: after the first, the former content, with the
// secrets in it, is the last good one.
func (s *Store) absorb(d document) {
	if !d.inline {
		return
	}
	if !d.password.Empty() {
		if err := s.settings.SetPassword(d.password.Reveal()); err != nil {
			s.state.problem("settings: %v", err)
		}
	}
	if s.state.Source != Loaded || locked(s.settings, s.state) {
		return // a save would make these look like settings of our own
	}
	if err := s.saveTwice(s.settings, d.secrets.Taken); err != nil {
		s.state.problem("settings: the secrets in %s could not be moved out of it: %s", configName, inWords(err))
	}
}

// locked reports whether the settings may not be changed: they are lost, or lost
// their password. Saved as they are, they would open Set-up at the next start.
func locked(s Settings, state State) bool {
	return state.Source == Lost || s.Password.Empty() && !state.Setup
}

// saveTwice saves settings in such a way that nothing of the former ones stays
// in the last good ones.
func (s *Store) saveTwice(next Settings, taken string) error {
	_, err := s.save(next, taken)
	if err != nil {
		return err
	}
	warnings, err := s.save(next, taken)
	for _, w := range warnings {
		err = errors.Join(err, errors.New(w))
	}
	return err
}
