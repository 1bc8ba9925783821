package frames

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// readAll decodes frames until the first error.
func readAll(r *Reader, d Direction) ([]Message, error) {
	var out []Message
	for {
		f, err := r.Next()
		if err != nil {
			return out, err
		}
		f.Payload = bytes.Clone(f.Payload)
		m, err := Decode(d, f)
		if err != nil {
			return out, err
		}
		out = append(out, m)
	}
}

func TestReaderYieldsTheSameFramesHoweverTheStreamIsSliced(t *testing.T) {
	for _, d := range []Direction{ToBridge, ToC64} {
		var want []Message
		for _, s := range samples() {
			if s.d == d {
				want = append(want, s.m)
			}
		}
		b := allFrames(d)
		for name, r := range map[string]io.Reader{
			"whole": bytes.NewReader(b), "bytes": iotest.OneByteReader(bytes.NewReader(b)),
			"half": iotest.HalfReader(bytes.NewReader(b)), "error with data": iotest.DataErrReader(bytes.NewReader(b)),
		} {
			got, err := readAll(NewReader(r, d), d)
			if err != io.EOF {
				t.Errorf("%v %s: %v", d, name, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%v %s: %s", d, name, diff)
			}
		}
	}
}

func TestEndInsideAFrameIsUnexpected(t *testing.T) {
	whole := AssistantDelta{1, []byte("text")}.AppendTo(nil)
	for n := range len(whole) + 1 {
		r := NewReader(bytes.NewReader(append(bytes.Clone(whole), whole[:n]...)), ToC64)
		want := io.ErrUnexpectedEOF
		if n == 0 || n == len(whole) {
			want = io.EOF
		}
		if _, err := readAll(r, ToC64); err != want {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}

func TestBadHeaderIsRefusedBeforeItsPayloadIsAwaited(t *testing.T) {
	for name, c := range map[string]struct {
		head  string
		d     Direction
		words string
	}{
		"oversized":      {"\x10\x00\x01\x03", ToBridge, "PROMPT TOO LONG, 769 BYTES FOR 768"},
		"huge":           {"\x11\x00\xff\xff", ToC64, "ASSISTANT TOO LONG, 65535 BYTES FOR 92"},
		"unknown":        {"GET ", ToBridge, "TYPE $47 UNKNOWN"},
		"other way":      {"\x11\x00\x02\x00", ToBridge, "ASSISTANT NOT ALLOWED HERE"},
		"surplus":        {"\x09\x00\x01\x00", ToBridge, "HEARTBEAT TAKES NO PAYLOAD"},
		"short":          {"\x05\x00\x11\x00", ToBridge, "RECONNECT TOO SHORT, 17 BYTES FOR 18"},
		"wrong greeting": {"\x01\x00\x0b\x00", ToBridge, ErrorVersion},
	} {
		// The reader would fail the test if it waited for more than the header.
		r := NewReader(io.MultiReader(strings.NewReader(c.head), iotest.ErrReader(errors.New("waited"))), c.d)
		_, err := r.Next()
		if !errors.Is(err, ErrFraming) || FaultWords(err, "") != c.words {
			t.Errorf("%s: %v", name, err)
		}
		if _, again := r.Next(); again != err {
			t.Errorf("%s: the fault did not last: %v", name, again)
		}
	}
}

func TestReaderGoesOnAfterATimeOut(t *testing.T) {
	b := allFrames(ToBridge)
	r := NewReader(iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader(b))), ToBridge)
	got, err := readAll(r, ToBridge)
	if !errors.Is(err, iotest.ErrTimeout) {
		t.Fatal(err)
	}
	rest, err := readAll(r, ToBridge)
	if err != io.EOF {
		t.Fatal(err)
	}
	var again []byte
	for _, m := range append(got, rest...) {
		again = m.AppendTo(again)
	}
	if !bytes.Equal(again, b) {
		t.Error("the frames are not those that were sent")
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

func TestReaderGivesUpOnAStreamThatNeverMoves(t *testing.T) {
	if _, err := NewReader(idle{}, ToC64).Next(); !errors.Is(err, io.ErrNoProgress) {
		t.Fatal(err)
	}
}

func TestErrorOfTheStreamIsKept(t *testing.T) {
	if _, err := NewReader(iotest.ErrReader(os.ErrDeadlineExceeded), ToC64).Next(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal(err)
	}
}
