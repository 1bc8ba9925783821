package frames

// newline is the only control byte that travels, and only where a text may have
// lines.
const newline = 0x0A

// substitute stands for a byte that must not travel.
const substitute = '?'

// DisplaySafe reports whether a C64 can show b: printable ASCII, or a literal
// screen code with bit 7 set. A newline is not: ask CheckText about it.
func DisplaySafe(b byte) bool { return b >= 0x20 && b != 0x7F }

// CheckText reports, as an ErrValue, a byte of text that may not travel;
// newlines says whether a line break may.
func CheckText(text []byte, newlines bool) error {
	if i := unsafeAt(text, newlines); i >= 0 {
		return badValue(0, unshowable(text[i]))
	}
	return nil
}

func unsafeAt(text []byte, newlines bool) int {
	for i, b := range text {
		if !DisplaySafe(b) && !(newlines && b == newline) {
			return i
		}
	}
	return -1
}

func unshowable(b byte) string { return "BYTE $" + hex2(Type(b)) + " IS NOT TEXT" }

// checkText is CheckText for a field of a frame of type t.
func checkText(t Type, text []byte, newlines bool) error {
	if i := unsafeAt(text, newlines); i >= 0 {
		return badValue(t, t.words()+": "+unshowable(text[i]))
	}
	return nil
}
