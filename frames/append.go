package frames

import "encoding/binary"

// AppendFrame appends one frame to dst. It checks nothing, so that tests can make
// faulty frames with it; a payload over 65535 bytes is cut, since the header
// cannot say more.
func AppendFrame(dst []byte, t Type, flags uint8, payload []byte) []byte {
	payload = payload[:min(len(payload), 0xFFFF)]
	dst = append(dst, byte(t), flags, byte(len(payload)), byte(len(payload)>>8))
	return append(dst, payload...)
}

// begin appends a header whose length end fills in.
func begin(dst []byte, t Type, flags uint8) ([]byte, int) {
	return append(dst, byte(t), flags, 0, 0), len(dst)
}

// end fills in the length of the frame that begins at start.
func end(dst []byte, start int) []byte {
	binary.LittleEndian.PutUint16(dst[start+2:], uint16(len(dst)-start-HeaderSize))
	return dst
}

// empty appends a frame without payload.
func empty(dst []byte, t Type) []byte { return append(dst, byte(t), 0, 0, 0) }

// appendText appends at most limit bytes of text and replaces what must not
// travel. Both repair a programmer's error: shaping and splitting come before.
func appendText(dst, text []byte, limit int, newlines bool) []byte {
	text = text[:min(len(text), limit)]
	at := len(dst)
	dst = append(dst, text...)
	for unsafe := unsafeAt(dst[at:], newlines); unsafe >= 0; unsafe = unsafeAt(dst[at:], newlines) {
		at += unsafe
		dst[at] = substitute
	}
	return dst
}

func appendU16(dst []byte, v uint16) []byte { return append(dst, byte(v), byte(v>>8)) }

func u16(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }

func flag(b bool, f uint8) uint8 {
	if b {
		return f
	}
	return 0
}

// check judges the type and the length of f before a Decode looks at its bytes.
func check(f Frame, t Type) error {
	if f.Type != t {
		return framing(f.Type, f.Type.words()+" IS NOT "+t.words())
	}
	d := ToBridge
	if !t.Allowed(ToBridge) {
		d = ToC64
	}
	return checkLength(d, t, len(f.Payload))
}

// boolean decodes a byte that is 0 or 1.
func boolean(t Type, field string, b byte) (bool, error) {
	if b > 1 {
		return false, outOfRange(t, field, b)
	}
	return b == 1, nil
}
