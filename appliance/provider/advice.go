package provider

// Advice is an error in words for the user at the C64, with what to do first. A
// C64 shows some ninety characters of it, so the words are shown alone, without
// what callers wrap around the error.
type Advice struct {
	Words string
	Err   error // the cause, for the log
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
