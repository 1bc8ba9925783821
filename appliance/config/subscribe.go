package config

// Subscribe returns a channel that holds the settings in force at once, and
// after each change the newest; a slow reader misses those between. cancel ends
// it and closes the channel; it may be called more than once.
func (s *Store) Subscribe() (changes <-chan Settings, cancel func()) {
	ch := make(chan Settings, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.subs[ch] = struct{}{}
	offer(ch, s.settings.Clone())
	return ch, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if _, there := s.subs[ch]; there {
			delete(s.subs, ch)
			close(ch)
		}
	}
}

// offer replaces what waits in ch. It never blocks: the Store, whose mutex is
// held, is the only one that sends.
func offer(ch chan Settings, v Settings) {
	select {
	case <-ch:
	default:
	}
	ch <- v
}
