package config

import (
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// about documents a field for FIELDS.md.
type about struct {
	kind     string
	standard string // what counts where the field is missing
	allowed  string
	meaning  string
}

// field is one member of an object that is kept as a T.
type field[T any] struct {
	name string
	about
	read  func(r *reader, at string, raw json.RawMessage, v *T)
	write func(v T, w view) json.RawMessage // nil: leave it out
}

// rule says what is wrong with a value, in words that tell what is allowed;
// nil: nothing.
type rule func(r *reader, value string) error

// textField is a string that everybody may see.
func textField[T any](name string, a about, at func(*T) *string, ok rule) field[T] {
	return field[T]{name, a,
		func(r *reader, path string, raw json.RawMessage, v *T) {
			var text string
			if json.Unmarshal(raw, &text) != nil {
				r.wrong(path, shown(string(raw)), a.allowed)
			} else if err := ok(r, text); err != nil {
				r.wrong(path, shown(string(raw)), err.Error())
			} else {
				*at(v) = text
			}
		},
		func(v T, _ view) json.RawMessage {
			if text := *at(&v); text != "" {
				return quote(text)
			}
			return nil
		}}
}

// secretField is a string that no error repeats.
func secretField[T any](name string, a about, at func(*T) *Secret, ok rule) field[T] {
	return field[T]{name, a,
		func(r *reader, path string, raw json.RawMessage, v *T) {
			var text string
			if json.Unmarshal(raw, &text) != nil {
				r.wrong(path, "no text", a.allowed)
			} else if err := ok(r, text); err != nil {
				r.wrong(path, hiddenLength(text), err.Error())
			} else {
				*at(v) = NewSecret(text)
				r.inline = r.inline || text != ""
			}
		},
		func(v T, w view) json.RawMessage { return w.secret(*at(&v)) }}
}

func hiddenLength(text string) string {
	return fmt.Sprintf("%s, %d characters", hidden, utf8.RuneCountInString(text))
}

// numberField is a whole number.
func numberField[T any](name string, a about, at func(*T) *int, ok func(int) bool) field[T] {
	return field[T]{name, a,
		func(r *reader, path string, raw json.RawMessage, v *T) {
			n, err := strconv.Atoi(string(raw))
			if err != nil || !ok(n) {
				r.wrong(path, shown(string(raw)), a.allowed)
				return
			}
			*at(v) = n
		},
		func(v T, _ view) json.RawMessage { return json.RawMessage(strconv.Itoa(*at(&v))) }}
}

// choiceField is one of a few words; the index of the word is the value.
func choiceField[T any, N ~uint8](name string, a about, words []string, at func(*T) *N) field[T] {
	return field[T]{name, a,
		func(r *reader, path string, raw json.RawMessage, v *T) {
			for i, word := range words {
				if string(raw) == strconv.Quote(word) {
					*at(v) = N(i)
					return
				}
			}
			r.wrong(path, shown(string(raw)), a.allowed)
		},
		func(v T, _ view) json.RawMessage {
			if i := int(*at(&v)); i < len(words) {
				return quote(words[i])
			}
			return json.RawMessage(strconv.Itoa(int(*at(&v)))) // Validate refuses it
		}}
}

// boolField is true or false.
func boolField[T any](name string, a about, at func(*T) *bool) field[T] {
	return field[T]{name, a,
		func(r *reader, path string, raw json.RawMessage, v *T) {
			if json.Unmarshal(raw, at(v)) != nil {
				r.wrong(path, shown(string(raw)), a.allowed)
			}
		},
		func(v T, _ view) json.RawMessage { return json.RawMessage(strconv.FormatBool(*at(&v))) }}
}
