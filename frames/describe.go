package frames

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode"
)

// maxDumped is how many bytes of a payload that cannot be read are shown.
const maxDumped = 32

// Describe returns one readable line, without a line break, for any frame: its
// name and fields, or what is wrong with it and its bytes. The direction is taken
// from the type. A lease's token is shortened and a pairing code not shown, so
// that a line can go into a log; prompts and answers are shown in full.
func Describe(f Frame) string {
	d := ToC64
	if f.Type.Allowed(ToBridge) {
		d = ToBridge
	}
	m, err := Decode(d, f)
	if err != nil {
		return wrong(f, err)
	}
	var b strings.Builder
	b.WriteString(f.Type.String())
	v := reflect.ValueOf(m)
	for i := range v.NumField() {
		b.WriteByte(' ')
		b.WriteString(label(v.Type().Field(i).Name))
		b.WriteByte('=')
		b.WriteString(value(m, v.Field(i)))
	}
	if unknown := f.Flags &^ FlagStart; unknown != 0 {
		fmt.Fprintf(&b, " unknown flags=$%02X", unknown)
	}
	return b.String()
}

// wrong describes a frame that cannot be read.
func wrong(f Frame, err error) string {
	class := "framing"
	if errors.Is(err, ErrValue) {
		class = "value"
	}
	shown, more := f.Payload, ""
	if len(shown) > maxDumped {
		shown, more = shown[:maxDumped], fmt.Sprintf(" and %d more", len(f.Payload)-maxDumped)
	}
	return fmt.Sprintf("%v BAD (%s: %s) flags=$%02X payload=[% X]%s",
		f.Type, class, FaultWords(err, err.Error()), f.Flags, shown, more)
}

// label is a field's name with a small first letter.
func label(name string) string {
	r := []rune(name)
	r[0] = unicode.ToLower(r[0])
	return string(r)
}

// value shows a field of m.
func value(m Message, v reflect.Value) string {
	if e, ok := m.(DashboardEntry); ok && v.Kind() == reflect.Slice {
		return rowValue(e)
	}
	switch x := v.Interface().(type) {
	case [PairingCodeSize]byte:
		return "(hidden)"
	case []byte:
		return Quote(x)
	case fmt.Stringer:
		return "(" + x.String() + ")"
	default:
		return fmt.Sprint(x)
	}
}

func rowValue(e DashboardEntry) string {
	var (
		activity ActivityRow
		change   ChangeRow
	)
	switch {
	case e.Tab == TabActivity && activity.Decode(e.Data) == nil:
		return fmt.Sprintf("(%v) %s", activity.Lifecycle, Quote(activity.Label))
	case e.Tab == TabChanges && change.Decode(e.Data) == nil:
		return fmt.Sprintf("%c +%d -%d %s", change.State, change.Added, change.Deleted, Quote(change.Path))
	}
	return Quote(e.Data)
}

// Quote shows text in quotation marks, in printable ASCII alone: a screen-code
// token as {5D}, a line break as \n, any other byte as \x07.
func Quote(text []byte) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == newline:
			b.WriteString(`\n`)
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c >= 0x80:
			fmt.Fprintf(&b, "{%02X}", c&0x7F)
		case DisplaySafe(c):
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\x%02X`, c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// GuessDirection tells from the beginning of a captured stream which way it went:
// the way in which more of its frames are well framed. A stream that fits both, or
// none, is taken to go to the C64.
func GuessDirection(stream []byte) Direction {
	if wellFramed(stream, ToBridge) > wellFramed(stream, ToC64) {
		return ToBridge
	}
	return ToC64
}

// wellFramed counts frames up to the first that cannot travel in direction d.
func wellFramed(b []byte, d Direction) int {
	n := 0
	for len(b) >= HeaderSize {
		size := HeaderSize + int(u16(b[2:]))
		if checkHeader(d, Type(b[0]), size-HeaderSize) != nil {
			return n
		}
		n++
		b = b[min(size, len(b)):]
	}
	return n
}
