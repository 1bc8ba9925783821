package frames

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// everyFault decodes short, long and hostile payloads of every type.
func everyFault(d Direction) []error {
	var out []error
	for i := range 256 {
		for _, n := range []int{0, 1, 2, 3, 17, 18, 19, 92, 93, 768, 769, 65535} {
			for _, b := range []byte{0, 1, 0x7F, 0xFF} {
				f := Frame{Type(i), 0, []byte(strings.Repeat(string([]byte{b}), n))}
				if _, err := Decode(d, f); err != nil {
					out = append(out, err)
				}
			}
		}
	}
	return out
}

func TestFaultsFitAnErrorFrame(t *testing.T) {
	for _, d := range []Direction{ToBridge, ToC64} {
		for _, err := range everyFault(d) {
			words := []byte(FaultWords(err, "\x00"))
			if len(words) == 0 || len(words) > MaxErrorText || CheckText(words, false) != nil {
				t.Fatalf("%v: %q", err, words)
			}
			if errors.Is(err, ErrFraming) == errors.Is(err, ErrValue) {
				t.Fatalf("%v has not exactly one class", err)
			}
		}
	}
}

func TestRefusalsNameWhatTheyRefuse(t *testing.T) {
	for _, c := range []struct {
		f      Frame
		prefix string
	}{
		{Frame{Type: TypeUserText}, ErrorPromptPrefix},
		{Frame{Type: TypeUserText, Payload: []byte{1}}, ErrorPromptPrefix},
		{Frame{Type: TypeApprovalDecision, Payload: []byte{9}}, ErrorDecisionWord},
		{Frame{Type: TypeApprovalDecision}, ErrorDecisionWord},
	} {
		_, err := Decode(ToBridge, c.f)
		if w := FaultWords(err, ""); !strings.HasPrefix(w, c.prefix) {
			t.Errorf("%v: %q", c.f.Type, w)
		}
	}
}

func TestFaultWordsSurviveWrapping(t *testing.T) {
	err := fmt.Errorf("bridge: read: %w", framing(TypeHello, "x"))
	if FaultWords(err, "") != ErrorVersion || FaultWords(errors.New("x"), "BUSY") != "BUSY" {
		t.Fatal(err)
	}
}

func TestCheckTextAllowsExactlyWhatTravels(t *testing.T) {
	for i := range 256 {
		b := byte(i)
		safe := b >= 0x20 && b <= 0x7E || b >= 0x80
		if DisplaySafe(b) != safe || (CheckText([]byte{b}, false) == nil) != safe {
			t.Errorf("$%02X", b)
		}
		if (CheckText([]byte{'a', b}, true) == nil) != (safe || b == '\n') {
			t.Errorf("$%02X with newlines", b)
		}
	}
	if !errors.Is(CheckText([]byte{0}, true), ErrValue) {
		t.Error("not a value fault")
	}
}

func TestNewerIsAHalfCircle(t *testing.T) {
	for _, applied := range []uint16{0, 1, 32767, 32768, 65535} {
		for d := range 65536 {
			if Newer(applied+uint16(d), applied) != (d >= 1 && d <= 32767) {
				t.Fatal(applied, d)
			}
		}
	}
}

func TestSequenceIsFoundInAsynchronousFramesOnly(t *testing.T) {
	for _, s := range samples() {
		f := split(t, s.m.AppendTo(nil))
		_, ok := Sequence(f)
		want := f.Type >= TypeAssistantDelta && f.Type <= TypeApprovalAck && f.Type != TypeTurnCancel &&
			f.Type != TypeApprovalDecision && f.Type != TypeHistoryText
		if ok != want {
			t.Errorf("%v: %v", f.Type, ok)
		}
	}
	if seq, ok := Sequence(Frame{TypeTurnDone, 0, []byte{0x34, 0x12}}); seq != 0x1234 || !ok {
		t.Error(seq, ok)
	}
	if _, ok := Sequence(Frame{TypeTurnDone, 0, []byte{1}}); ok {
		t.Error("half a sequence counts")
	}
}
