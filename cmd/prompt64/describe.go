package main

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/prompt64/prompt64/frames"
)

// describe is a frame on one line: its type and its fields, text quoted. A frame
// that cannot be decoded is described by its fault.
func describe(d frames.Direction, f frames.Frame) string {
	m, err := frames.Decode(d, f)
	if err != nil {
		return fmt.Sprintf("%v: %v", f.Type, err)
	}
	var out strings.Builder
	out.WriteString(f.Type.String())
	v := reflect.ValueOf(m)
	for i := range v.NumField() {
		field := v.Field(i).Interface()
		format := " %s=%v"
		switch field.(type) {
		case []byte:
			format = " %s=%q"
		case frames.Token:
			format = " %s=%x"
		case frames.Capabilities:
			format = " %s=%04x"
		}
		fmt.Fprintf(&out, format, v.Type().Field(i).Name, field)
	}
	return out.String()
}
