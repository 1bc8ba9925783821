package frames

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// canonical is f as an encoder of this version writes it: bits that it does not
// know are dropped.
func canonical(f Frame) []byte {
	known := uint8(0)
	switch f.Type {
	case TypeHistoryText, TypeDiffLine, TypeApprovalDetailLine:
		known = FlagStart
	case TypeWorkspaceEntry:
		known = FlagGit
	}
	p := bytes.Clone(f.Payload)
	if f.Type == TypeSettingsState || f.Type == TypeSettingsSet && len(p) == 2 {
		p[1] &= DisplayPalette
	}
	return AppendFrame(nil, f.Type, f.Flags&known, p)
}

// FuzzReader reads any stream in both directions: it never panics, every frame
// that is good encodes to the same bytes, every fault has one class and words that
// can be sent, and slicing changes nothing.
func FuzzReader(f *testing.F) {
	for _, s := range samples() {
		f.Add(s.m.AppendTo(nil), s.d == ToC64)
	}
	f.Add(allFrames(ToBridge), false)
	f.Add(allFrames(ToC64), true)
	for _, s := range []string{"", "GET / HTTP/1.1\r\n\r\n", "\x10\x00\xff\xff", "\x01\x00\x0a\x00PROMPT64/1", "\x7f\x00", "\x00\x00\x00\x00"} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, b []byte, down bool) {
		d := ToBridge
		if down {
			d = ToC64
		}
		whole, err := walk(t, NewReader(bytes.NewReader(b), d), d)
		sliced, again := walk(t, NewReader(iotest.OneByteReader(bytes.NewReader(b)), d), d)
		if !bytes.Equal(whole, sliced) || (err == io.EOF) != (again == io.EOF) {
			t.Error("slicing changed what was read")
		}
		GuessDirection(b)
	})
}

// walk reads to the end and returns the canonical frames that were good.
func walk(t *testing.T, r *Reader, d Direction) ([]byte, error) {
	var good []byte
	for {
		f, err := r.Next()
		if err != nil {
			if err != io.EOF && err != io.ErrUnexpectedEOF {
				judge(t, err, ErrFraming)
			}
			return good, err
		}
		if len(f.Payload) > d.MaxPayload() || cap(r.buf) != HeaderSize+d.MaxPayload() {
			t.Fatalf("%d bytes of payload, a buffer of %d", len(f.Payload), cap(r.buf))
		}
		oneLine(t, Describe(f))
		m, err := Decode(d, f)
		if err != nil {
			judge(t, err, nil)
			continue
		}
		want := canonical(f)
		if got := m.AppendTo(nil); !bytes.Equal(got, want) {
			t.Fatalf("%v: % X, want % X", f.Type, got, want)
		}
		good = append(good, want...)
	}
}

func judge(t *testing.T, err, class error) {
	t.Helper()
	words := []byte(FaultWords(err, "\n"))
	if CheckText(words, false) != nil || len(words) > MaxErrorText || class != nil && !errors.Is(err, class) {
		t.Fatalf("%v: %q", err, words)
	}
}

// FuzzDescribe describes any frame at all, however its length lies.
func FuzzDescribe(f *testing.F) {
	f.Add(byte(TypeDashboardEntry), byte(0), []byte{2, 0, 'M', 1, 0, 2, 0, 'a'})
	f.Add(byte(0xFF), byte(0xFF), []byte("\x1b[2J"))
	f.Add(byte(TypeUserText), byte(0), bytes.Repeat([]byte{0xFF}, 800))
	f.Fuzz(func(t *testing.T, ty, flags byte, payload []byte) {
		oneLine(t, Describe(Frame{Type(ty), flags, payload}))
	})
}

// FuzzEncode encodes any text: the frame is valid, and what was safe and short
// enough comes back as it was.
func FuzzEncode(f *testing.F) {
	f.Add([]byte("plain"), uint16(65535))
	f.Add([]byte("\x00\x7f\x80\xff\n\r"), uint16(0))
	f.Add(bytes.Repeat([]byte("long"), 300), uint16(1))
	f.Fuzz(func(t *testing.T, text []byte, seq uint16) {
		for _, s := range overlong(text) {
			if len(text) == 0 && s.m.Type() == TypeUserText {
				continue
			}
			if _, err := Decode(s.d, split(t, s.m.AppendTo(nil))); err != nil {
				t.Fatalf("%T: %v", s.m, err)
			}
		}
		in := AssistantDelta{seq, text}
		var out AssistantDelta
		if err := out.Decode(split(t, in.AppendTo(nil))); err != nil {
			t.Fatal(err)
		}
		if len(text) <= MaxDeltaText && CheckText(text, true) == nil && !cmp.Equal(in.Text, out.Text) && len(text) > 0 {
			t.Fatalf("%q became %q", in.Text, out.Text)
		}
	})
}
