package demo

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// sayBytes says a text one byte at a time, so that a character arrives in
// pieces.
func (t *turn) sayBytes(args string) error {
	if args == "" {
		return errUsage
	}
	text := unescape(args)
	for i := range len(text) {
		if err := t.say(text[i : i+1]); err != nil {
			return err
		}
	}
	return nil
}

// unescape turns each \uXXXX into the UTF-16 unit that it names: two halves of
// a surrogate pair make one character, and a half without the other makes
// U+FFFD. Anything else stays as it is.
func unescape(text string) string {
	var b strings.Builder
	for text != "" {
		unit, ok := leadingUnit(text)
		if !ok {
			// Byte for byte: what is not UTF-8 is sent as it came.
			_, n := utf8.DecodeRuneInString(text)
			b.WriteString(text[:n])
			text = text[n:]
			continue
		}
		text = text[unitLength:]
		r := rune(unit)
		if utf16.IsSurrogate(r) {
			low, _ := leadingUnit(text)
			if r = utf16.DecodeRune(r, rune(low)); r != utf8.RuneError {
				text = text[unitLength:]
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

// unitLength is the length of \uXXXX.
const unitLength = 6

// leadingUnit reads a \uXXXX at the beginning of a text.
func leadingUnit(text string) (unit uint16, ok bool) {
	if len(text) < unitLength || !strings.HasPrefix(text, `\u`) {
		return 0, false
	}
	// ParseUint takes a sign or an underscore only with base 0.
	v, err := strconv.ParseUint(text[2:unitLength], 16, 16)
	return uint16(v), err == nil
}
