package frames

import (
	"errors"
	"strconv"
)

// The two classes of fault in what a peer sends. A framing fault ends the
// connection after one Error frame; a value fault is answered with an Error
// frame and changes nothing. Ask with errors.Is.
var (
	ErrFraming = errors.New("frames: framing fault")
	ErrValue   = errors.New("frames: value fault")
)

// Fault is the error of this package for everything a peer did wrong.
type Fault struct {
	Class error  // ErrFraming or ErrValue
	Type  Type   // the frame's type
	Words string // display-safe, at most MaxErrorText bytes: the text of the Error frame
}

// Error gives the class, the type if the protocol has it, and the words.
func (f *Fault) Error() string {
	if !f.Type.Known() {
		return f.Class.Error() + ": " + f.Words
	}
	return f.Class.Error() + ": " + f.Type.String() + ": " + f.Words
}

// Unwrap returns the class, for errors.Is.
func (f *Fault) Unwrap() error { return f.Class }

// FaultWords returns the text to send in an Error frame for err: a Fault's own
// words, or fallback for any other error. A refusal of a prompt begins with
// PROMPT and one of a decision with APPROVAL, as the protocol demands.
func FaultWords(err error, fallback string) string {
	var f *Fault
	if errors.As(err, &f) {
		return f.Words
	}
	return fallback
}

func framing(t Type, words string) error {
	if t == TypeHello {
		words = ErrorVersion
	}
	return &Fault{Class: ErrFraming, Type: t, Words: words}
}

func badValue(t Type, words string) error {
	return &Fault{Class: ErrValue, Type: t, Words: words}
}

// outOfRange names a field whose value the protocol does not know.
func outOfRange(t Type, field string, v uint8) error {
	return badValue(t, t.words()+field+" "+strconv.Itoa(int(v))+" UNKNOWN")
}
