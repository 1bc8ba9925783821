package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// member is one field of a JSON object as it was written.
type member struct {
	name  string
	value json.RawMessage
}

// members reads a JSON object, keeping the order and the spelling of values:
// numbers that no Go type holds survive a rewrite. A name that occurs twice is
// refused, since readers differ about which of the two counts.
func members(raw []byte) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	open, err := dec.Token()
	if err != nil {
		return nil, syntax(err, dec)
	}
	if open != json.Delim('{') {
		return nil, errors.New("it does not begin with {")
	}
	var out []member
	seen := map[string]bool{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, syntax(err, dec)
		}
		m := member{name: name.(string)} // the decoder lets nothing else pass here
		if seen[m.name] {
			return nil, fmt.Errorf("the field %q is there twice", m.name)
		}
		seen[m.name] = true
		if err := dec.Decode(&m.value); err != nil {
			return nil, syntax(err, dec)
		}
		out = append(out, m)
	}
	if _, err := dec.Token(); err != nil {
		return nil, syntax(err, dec)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("something follows the closing } at byte %d", dec.InputOffset())
	}
	return out, nil
}

// syntax says where in the text an error lies, and not what stands there: it
// could be part of a password.
func syntax(err error, dec *json.Decoder) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends too early")
	}
	at := dec.InputOffset()
	if s := (*json.SyntaxError)(nil); errors.As(err, &s) {
		at = s.Offset
	}
	return fmt.Errorf("it is no JSON at byte %d", at)
}

// object writes a JSON object from its fields.
func object(fields []member) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quote(f.name))
		b.WriteByte(':')
		b.Write(f.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// quote writes a JSON string, with < and & as they are.
func quote(text string) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a string into memory: nothing can fail
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// indent lays a document out for people.
func indent(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return raw
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// textFile prepares the bytes of a file that a person may have written. Editors
// on Windows put a mark before UTF-8 text, or write UTF-16.
func textFile(data []byte) ([]byte, error) {
	switch {
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}), bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return nil, errors.New("it is UTF-16 text: save it as UTF-8")
	case !utf8.Valid(data):
		return nil, errors.New("it is no UTF-8 text")
	}
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("it is empty")
	}
	return data, nil
}
