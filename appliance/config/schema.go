package config

import (
	"encoding/json"
	"fmt"
	"slices"
)

// schema is the fields of one kind of object, in the order of the file.
type schema[T any] []field[T]

// reader collects what reading a document brings up.
type reader struct {
	options Options
	invalid Invalid
	unknown []string          // paths of fields that this version does not know
	inline  bool              // a secret stands in the document itself
	keys    map[string]Secret // of Wi-Fi networks, where the document names none
	// What stands in the document without being a setting.
	password Secret // in plain
	secrets  string // name of the file that holds the secrets
	version  bool   // a version is there
}

func (r *reader) wrong(path, value, allowed string) {
	r.invalid = append(r.invalid, FieldError{path, value, allowed})
}

// read takes what raw has into v; what raw does not name stays. Unknown fields
// go to extra.
func (s schema[T]) read(r *reader, at string, raw json.RawMessage, v *T, extra *[]member) {
	fields, err := members(raw)
	if err != nil {
		r.wrong(at, kindOf(raw), "an object in { } is allowed: "+err.Error())
		return
	}
	for _, m := range fields {
		path := join(at, m.name)
		i := slices.IndexFunc(s, func(f field[T]) bool { return f.name == m.name })
		switch {
		case i < 0:
			r.unknown = append(r.unknown, path)
			*extra = slices.DeleteFunc(*extra, func(old member) bool { return old.name == m.name })
			*extra = append(*extra, m)
		case string(m.value) != "null": // null says as little as no field
			s[i].read(r, path, m.value, v)
		}
	}
}

// write makes an object of v, the unknown fields behind the known ones.
func (s schema[T]) write(v T, extra []member, w view) json.RawMessage {
	var out []member
	for _, f := range s {
		if raw := f.write(v, w); raw != nil {
			out = append(out, member{f.name, raw})
		}
	}
	if w.secrets != showHidden {
		out = append(out, extra...)
	}
	return object(out)
}

// objectField is an object within the object; extra says where its unknown
// fields are kept.
func objectField[T, U any](name, meaning string, of schema[U], at func(*T) *U, extra func(*U) *[]member) field[T] {
	return field[T]{name, about{kind: "object", meaning: meaning},
		func(r *reader, path string, raw json.RawMessage, v *T) {
			of.read(r, path, raw, at(v), extra(at(v)))
		},
		func(v T, w view) json.RawMessage { return of.write(*at(&v), *extra(at(&v)), w) }}
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// kindOf tells a value without showing it, for it may hold a secret.
func kindOf(raw json.RawMessage) string { return fmt.Sprintf("%d bytes", len(raw)) }

// view is how a document is written.
type view struct {
	secrets showing
	file    string // name of the file that holds the secrets
}

type showing uint8

const (
	leaveOut   showing = iota // they are in a file of their own
	showHidden                // only that they are there; unknown fields go too
	showPlain                 // never leaves the memory
)

func (w view) secret(s Secret) json.RawMessage {
	switch {
	case s.Empty(), w.secrets == leaveOut:
		return nil
	case w.secrets == showPlain:
		return quote(s.Reveal())
	}
	return quote(hidden)
}
