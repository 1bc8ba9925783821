package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/prompt64/prompt64/frames"
)

// decodeAll returns what decode prints for a capture.
func decodeAll(t interface{ Fatal(...any) }, in io.Reader) string {
	var out bytes.Buffer
	if err := runDecode(streams{in: in, out: &out, err: io.Discard}, nil); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestDecodePrintsOneLineForEachFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var capture []byte
		var want strings.Builder
		for range rapid.IntRange(0, 20).Draw(t, "frames") {
			var m frames.Message
			if rapid.Bool().Draw(t, "to bridge") {
				m = frames.UserText{Text: []byte(rapid.StringMatching(`[ -~]{1,700}`).Draw(t, "prompt"))}
				fmt.Fprintf(&want, "%08x  C64 ->  ", len(capture))
			} else {
				m = frames.AssistantDelta{Seq: rapid.Uint16().Draw(t, "seq"), Text: []byte(rapid.StringMatching(`[ -~]{0,90}`).Draw(t, "text"))}
				fmt.Fprintf(&want, "%08x  <- BRG  ", len(capture))
			}
			frame := m.AppendTo(nil)
			fmt.Fprintln(&want, frames.Describe(frames.Frame{Type: m.Type(), Payload: frame[frames.HeaderSize:]}))
			capture = append(capture, frame...)
		}
		if got := decodeAll(t, bytes.NewReader(capture)); got != want.String() {
			t.Errorf("got:\n%swant:\n%s", got, want.String())
		}
	})
}

func TestDecodeFindsTheFrameBehindAnyGarbage(t *testing.T) {
	frame := frames.TurnFailed{Seq: 0x4242, Summary: []byte("found it")}.AppendTo(nil)
	rapid.Check(t, func(t *rapid.T) {
		// No byte of it is a frame's type, so none of it looks like a frame.
		garbage := rapid.SliceOfN(rapid.ByteRange(0x80, 0xFF), 0, 2000).Draw(t, "garbage")
		got := decodeAll(t, bytes.NewReader(append(garbage, frame...)))
		if !strings.Contains(got, "found it") || strings.Count(got, "\n") > 2 {
			t.Errorf("got:\n%s", got)
		}
	})
}

func TestDecodeSurvivesAnythingInPiecesOfAnySize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capture := rapid.SliceOfN(rapid.Byte(), 0, 3000).Draw(t, "capture")
		whole := decodeAll(t, bytes.NewReader(capture))
		if pieces := decodeAll(t, iotest.OneByteReader(bytes.NewReader(capture))); pieces != whole {
			t.Errorf("in pieces:\n%sat once:\n%s", pieces, whole)
		}
		if (len(capture) == 0) != (whole == "") {
			t.Errorf("%d bytes gave %q", len(capture), whole)
		}
	})
}

func TestDecodePrintsWhatCameBeforeAReadError(t *testing.T) {
	broken := io.MultiReader(bytes.NewReader(frames.Heartbeat{}.AppendTo(nil)), iotest.ErrReader(errors.New("disk on fire")))
	var out bytes.Buffer
	err := runDecode(streams{in: broken, out: &out, err: io.Discard}, nil)
	if err == nil || !strings.Contains(err.Error(), "disk on fire") || !strings.Contains(out.String(), "Heartbeat") {
		t.Errorf("%v, printed %q", err, out.String())
	}
}
