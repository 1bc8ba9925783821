package framestest

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"unicode"

	"github.com/prompt64/prompt64/frames"
)

// names of the directions in a Vector.
var directionNames = map[frames.Direction]string{frames.ToBridge: "to-bridge", frames.ToC64: "to-c64"}

// newVector describes a frame; b may be one that its header lies about.
func newVector(name string, d frames.Direction, b []byte) Vector {
	v := Vector{
		Name: name, Direction: directionNames[d],
		Type: b[0], TypeName: frames.Type(b[0]).String(), Flags: b[1],
		Payload: fmt.Sprintf("%X", b[frames.HeaderSize:]), Frame: fmt.Sprintf("%X", b),
	}
	f, err := frames.NewReader(bytes.NewReader(b), d).Next()
	var m frames.Message
	if err == nil {
		m, err = frames.Decode(d, f)
	}
	switch {
	case errors.Is(err, frames.ErrFraming):
		v.Fault, v.Words = "framing", frames.FaultWords(err, "")
	case errors.Is(err, frames.ErrValue):
		v.Fault, v.Words = "value", frames.FaultWords(err, "")
	case err == nil:
		v.Fields = fields(m)
	}
	return v
}

// fields turns a message into what JSON and any language can say.
func fields(m frames.Message) map[string]any {
	v := reflect.ValueOf(m)
	out := map[string]any{}
	for i := range v.NumField() {
		f := v.Field(i)
		name := snake(v.Type().Field(i).Name)
		switch f.Kind() {
		case reflect.Slice:
			out[name] = fmt.Sprintf("%X", f.Bytes())
		case reflect.Array:
			b := make([]byte, f.Len())
			reflect.Copy(reflect.ValueOf(b), f)
			out[name] = fmt.Sprintf("%X", b)
		case reflect.Bool:
			out[name] = f.Bool()
		default:
			out[name] = f.Uint()
		}
	}
	return out
}

func snake(name string) string {
	var b []rune
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b = append(b, '_')
		}
		b = append(b, unicode.ToLower(r))
	}
	return string(b)
}
