package update

// State is what the pages and STATUS tell.
type State struct {
	// Ready says that it is known how the last update ended. Until then, in the
	// first moments after a start, the rest says nothing and no update is taken.
	Ready bool
	Phase Phase
	// Running is the version that runs; empty: not known.
	Running string
	From    string // the version that runs, or ran before
	To      string // the version that the update brings; empty: not known yet
	// Done of Total bytes of the phase are done; Total is 0 where it has no bytes.
	Done, Total int64
	// Waits is what the next start waits for; empty: nothing.
	Waits string
	// Trouble is what is wrong at the moment, in words.
	Trouble string
	// Last is how the last update ended; nil: there was none.
	Last *Result
	// Former is the version that Revert goes back to; empty: there is none.
	Former string
}

// State tells how the update does.
func (u *Updater) State() State {
	u.mu.Lock()
	defer u.mu.Unlock()
	s := State{
		Ready: u.ready, Phase: u.rec.Phase, Running: u.running, Done: u.view.done, Total: u.view.total,
		Waits: u.view.waits, Trouble: u.view.trouble,
	}
	if u.view.phase != "" {
		s.Phase, s.From, s.To = u.view.phase, u.running, u.view.to
	} else if s.Phase.Under() {
		s.From, s.To = u.rec.From.Version, u.rec.To.Version
	}
	if s.Trouble == "" {
		s.Trouble = u.rec.Trouble
	}
	if u.rec.Last != nil {
		last := *u.rec.Last
		s.Last = &last
	}
	if u.rec.Former != nil && !s.Phase.Under() {
		s.Former = u.rec.Former.Version
	}
	return s
}

// Status is the state in a few words, for STATUS; empty: nothing to tell.
func (s State) Status() string {
	switch {
	case s.Trouble != "":
		return string(s.Phase) + ": " + s.Trouble
	case s.Waits != "":
		return string(s.Phase) + ", waits for " + s.Waits
	case s.Phase.Under():
		return string(s.Phase) + " " + s.To
	case s.Last == nil:
		return ""
	case s.Last.Reason == "":
		return string(s.Last.Outcome) + " " + s.Last.Version
	}
	return string(s.Last.Outcome) + ": " + s.Last.Reason
}
