// Package frames is the Prompt64 wire protocol, version 2: the header, every
// message, sequences and limits. It does no I/O of its own beyond reading from
// an io.Reader, keeps no state of a conversation and decides no policy.
//
// Encoding appends to a slice that the caller owns, decoding aliases the slice
// that was read; neither allocates. Decoding is strict: a payload that is too
// short, has surplus bytes, or is longer than its direction allows is an error,
// and values out of range are reported apart, since they do not break framing.
package frames

// Direction is the way a frame travels; it decides the payload limit and which
// types are allowed.
type Direction uint8

// The two directions.
const (
	ToBridge Direction = iota
	ToC64
)

// Frame is one frame: its payload aliases the buffer that it was read from.
type Frame struct {
	Type    Type
	Flags   uint8
	Payload []byte
}

// Newer reports whether seq follows applied: the wrapping distance is between 1
// and 32767.
func Newer(seq, applied uint16) bool {
	d := seq - applied
	return d >= 1 && d <= 32767
}
