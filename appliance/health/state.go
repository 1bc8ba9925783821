package health

import (
	"fmt"
	"slices"
)

// State is how one thing does.
type State uint8

// The states. The zero State is Unknown, so that nothing is well by omission.
const (
	Unknown State = iota // it cannot be told here or now
	OK                   // it works
	Warn                 // it works, but somebody should look
	Fail                 // it does not work
	Off                  // it is not used, or not set up
)

var stateWords = [...]string{"unknown", "ok", "warn", "fail", "off"}

// String returns the state's word, in lower case.
func (s State) String() string {
	if int(s) < len(stateWords) {
		return stateWords[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// MarshalText returns the state's word.
func (s State) MarshalText() ([]byte, error) {
	if int(s) >= len(stateWords) {
		return nil, fmt.Errorf("health: there is no state %d", uint8(s))
	}
	return []byte(s.String()), nil
}

// UnmarshalText takes a state's word.
func (s *State) UnmarshalText(text []byte) error {
	i := slices.Index(stateWords[:], string(text))
	if i < 0 {
		return fmt.Errorf("health: there is no state %q", text)
	}
	*s = State(i)
	return nil
}

// troubled says that somebody has to do something.
func (s State) troubled() bool { return s == Warn || s == Fail }

// rank orders states for Worst: what is off or unknown hides nothing that is
// known.
func (s State) rank() int { return slices.Index([]State{Off, Unknown, OK, Warn, Fail}, s) }
