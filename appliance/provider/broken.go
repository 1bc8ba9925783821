package provider

import (
	"errors"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// WordsBroke is what a user reads of a turn that a fault of the bridge ended; the log
// and the STATUS tab say which it was.
const WordsBroke = "A fault of the bridge ended this turn. Your next prompt starts the agent again."

// Failed is the end of a turn for an error.
func Failed(err error) EndEvent {
	if IsFault(err) {
		return EndEvent{End: EndFailed, Reason: WordsBroke}
	}
	return EndEvent{End: EndFailed, Reason: err.Error()}
}

// IsFault reports whether an error is a fault of the bridge. Nobody knows then in
// which state the session is: it is over.
func IsFault(err error) bool {
	_, ok := errors.AsType[*guarded.Fault](err)
	return ok
}
