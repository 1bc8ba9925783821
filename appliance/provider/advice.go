package provider

import "errors"

// Advice is an error in words for the user at the C64, with what to do first. A
// C64 shows some ninety characters of it, so the words are shown alone, without
// what callers wrap around the error. Its reader may have the pages and no command
// line: what to do must be possible there.
type Advice struct {
	Words string
	Shell string // instead, for who has a command line; empty: the same words
	Err   error  // the cause, for the log
}

// InShell is an error for who has a command line.
func InShell(err error) error {
	if a, ok := errors.AsType[*Advice](err); ok && a.Shell != "" {
		return &Advice{Words: a.Shell, Err: a.Err}
	}
	return err
}

// Error implements error.
func (a *Advice) Error() string {
	if a.Err == nil {
		return a.Words
	}
	return a.Words + " (" + a.Err.Error() + ")"
}

// Unwrap returns the cause.
func (a *Advice) Unwrap() error { return a.Err }
