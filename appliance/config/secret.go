package config

import (
	"crypto/subtle"
	"fmt"
	"log/slog"
)

// hidden is what a Secret shows instead of itself.
const hidden = "[hidden]"

// Secret is a text that never shows itself: not when printed, logged or turned
// into JSON, however deep in another value it lies. The zero Secret is empty.
type Secret struct {
	// A pointer, since fmt prints unexported fields of other packages' values
	// without asking their methods: it then finds an address, not the text.
	text *string
}

// NewSecret hides text.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{&text}
}

// Reveal returns the text, for the one who must use it.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Empty reports whether there is no text.
func (s Secret) Empty() bool { return s.text == nil }

// Equal compares two secrets in a time that depends on their lengths alone.
func (s Secret) Equal(other Secret) bool {
	return subtle.ConstantTimeCompare([]byte(s.Reveal()), []byte(other.Reveal())) == 1
}

// String says only whether there is a text.
func (s Secret) String() string {
	if s.Empty() {
		return ""
	}
	return hidden
}

// Format prints what String says, whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(s.String())) }

// LogValue logs what String says.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText writes what String says. JSON and XML use it.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalJSON writes what String says.
func (s Secret) MarshalJSON() ([]byte, error) { return quote(s.String()), nil }

var (
	_ fmt.Formatter  = Secret{}
	_ slog.LogValuer = Secret{}
)
