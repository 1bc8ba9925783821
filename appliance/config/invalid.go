package config

import (
	"strconv"
	"strings"
)

// FieldError says which field holds what it must not. It never repeats a secret.
type FieldError struct {
	Field   string // its path, such as wifi[0].ssid
	Value   string // as written, cut where it is long; a secret is described
	Allowed string // what is allowed
}

// Error says all three.
func (e FieldError) Error() string { return e.Field + ": " + e.Value + ": " + e.Allowed }

// Invalid is everything that is wrong with a set of settings, in the order of
// the file.
type Invalid []FieldError

// Error lists all of it.
func (e Invalid) Error() string {
	lines := make([]string, len(e))
	for i, f := range e {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "; ")
}

// valueLimit is how much of a value a FieldError repeats, in bytes.
const valueLimit = 60

// shown is a value as an error repeats it. One with parts is only measured: it
// stands where it does not belong, and may hold a secret.
func shown(raw string) string {
	if strings.HasPrefix(raw, "{") || strings.HasPrefix(raw, "[") {
		return strconv.Itoa(len(raw)) + " bytes"
	}
	if len(raw) <= valueLimit {
		return raw
	}
	return strings.ToValidUTF8(raw[:valueLimit], "") + "... (" + strconv.Itoa(len(raw)) + " bytes)"
}
