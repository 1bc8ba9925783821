package wifi

import (
	"fmt"
	"net/netip"
	"time"
)

// State is what a Manager is doing.
type State uint8

// The states.
const (
	Starting   State = iota // has not looked yet
	Unset                   // ready, but no network is set up
	Faulty                  // there is no radio that could be used; see LastFailure
	Searching               // looks for networks
	Joining                 // joins one
	Addressing              // joined, waits for an address
	Online                  // has one
	Waiting                 // pauses before it tries again; see LastFailure
)

var stateWords = [...]string{
	"starting", "no network is set up", "no radio", "searching", "joining", "waiting for an address", "online", "trying again",
}

// String names the state in words.
func (s State) String() string {
	if int(s) < len(stateWords) {
		return stateWords[s]
	}
	return fmt.Sprintf("state %d", uint8(s))
}

// Status is how the Wi-Fi is.
type Status struct {
	State     State
	Interface string
	SSID      string // being joined or joined
	BSSID     string // joined; the access point's address
	SignalDBm int    // joined; 0: not known
	Frequency int    // joined; MHz
	Address   netip.Prefix
	Since     time.Time // of the state Online
	// LastFailure says in words what went wrong last and what to do. It stays
	// when another network was joined instead, and is empty once all is well.
	LastFailure string
	Cause       Cause // of LastFailure
	FailedAt    time.Time
	// Fallback says that the settings were changed, their networks could not be
	// joined, and the network from before is used.
	Fallback bool
}

// Quality tells a signal in words; 0 is none that is known.
func Quality(dBm int) string {
	switch {
	case dBm == 0:
		return ""
	case dBm >= -60:
		return "strong"
	case dBm >= -72:
		return "good"
	case dBm >= weakDBm:
		return "weak"
	}
	return "very weak"
}

// Line is the status in one line.
func (s Status) Line() string {
	switch s.State {
	case Online:
		line := fmt.Sprintf("%s, %s", s.SSID, s.Address.Addr())
		if q := Quality(s.SignalDBm); q != "" {
			line += ", signal " + q
		}
		return line
	case Joining, Addressing:
		return s.State.String() + ": " + s.SSID
	}
	return s.State.String()
}

// Status tells how the Wi-Fi is.
func (m *Manager) Status() Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.status
}

// set changes the status and logs a change of state.
func (m *Manager) set(change func(*Status)) {
	m.mu.Lock()
	before := m.status
	change(&m.status)
	after := m.status
	m.mu.Unlock()
	if before.State != after.State || before.SSID != after.SSID {
		m.cfg.Log.Info("wifi: "+after.State.String(), "interface", after.Interface, "ssid", after.SSID, "address", after.Address)
	}
}

// note keeps a failure for the status.
func (m *Manager) note(f *Failure) {
	words := f.Error()
	m.mu.Lock()
	known := m.status.LastFailure == words
	m.status.LastFailure, m.status.Cause, m.status.FailedAt = words, f.Cause, time.Now()
	m.mu.Unlock()
	if !known {
		m.cfg.Log.Warn("wifi: "+words, "error", f.Err, "code", f.Code)
	}
}

// offline takes from the status what only a joined network has.
func (s *Status) offline(state State) {
	s.State, s.SSID, s.BSSID = state, "", ""
	s.SignalDBm, s.Frequency, s.Address, s.Since = 0, 0, netip.Prefix{}, time.Time{}
}
