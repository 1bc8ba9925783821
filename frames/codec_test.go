package frames

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// split takes one whole frame apart without the Reader.
func split(t *testing.T, b []byte) Frame {
	t.Helper()
	if len(b) < HeaderSize || len(b)-HeaderSize != int(u16(b[2:])) {
		t.Fatalf("not one whole frame: % X", b)
	}
	return Frame{Type(b[0]), b[1], b[HeaderSize:]}
}

func TestEveryMessageComesBackAsItWasSent(t *testing.T) {
	seen := map[Type]bool{}
	for _, s := range samples() {
		seen[s.m.Type()] = true
		b := s.m.AppendTo([]byte("before"))
		if !bytes.HasPrefix(b, []byte("before")) {
			t.Fatalf("%T: AppendTo does not append", s.m)
		}
		f := split(t, b[len("before"):])
		got, err := Decode(s.d, f)
		if err != nil {
			t.Fatalf("%T: %v", s.m, err)
		}
		if diff := cmp.Diff(s.m, got); diff != "" {
			t.Errorf("%T: %s", s.m, diff)
		}
	}
	for i := range types {
		if ty := Type(i); ty.Known() && !seen[ty] {
			t.Errorf("no sample of %v", ty)
		}
	}
}

func TestPayloadOfWrongLengthIsFramingFault(t *testing.T) {
	for _, s := range samples() {
		f := split(t, s.m.AppendTo(nil))
		info := types[f.Type]
		lengths := []int{info.min - 1, s.d.MaxPayload() + 1}
		if info.max != text {
			lengths = append(lengths, info.max+1)
		}
		for _, n := range lengths {
			if n < 0 {
				continue
			}
			f.Payload = make([]byte, n)
			if _, err := Decode(s.d, f); !errors.Is(err, ErrFraming) || errors.Is(err, ErrValue) {
				t.Errorf("%v with %d bytes: %v", f.Type, n, err)
			}
		}
	}
}

func TestWrongDirectionIsFramingFault(t *testing.T) {
	for _, s := range samples() {
		other := ToC64 - s.d
		if s.m.Type().Allowed(other) {
			continue
		}
		f := split(t, s.m.AppendTo(nil))
		if _, err := Decode(other, f); !errors.Is(err, ErrFraming) {
			t.Errorf("%v %v: %v", f.Type, other, err)
		}
	}
}

func TestUnknownFlagsAreIgnored(t *testing.T) {
	for _, s := range samples() {
		f := split(t, s.m.AppendTo(nil))
		f.Flags |= 0xFE
		got, err := Decode(s.d, f)
		if err != nil || !cmp.Equal(s.m, got) {
			t.Errorf("%v: %v, %v", f.Type, got, err)
		}
	}
}

func TestValueOutOfRangeIsValueFault(t *testing.T) {
	frame := func(ty Type, p ...byte) Frame { return Frame{Type: ty, Payload: p} }
	state := append(sampleToken[:], 2, 0, 0)
	for _, c := range []struct {
		f Frame
		d Direction
	}{
		{frame(TypeHelloOk, 1, 0, 0, 0), ToC64}, {frame(TypeReconnectState, state...), ToC64},
		{frame(TypePairState, 0), ToC64}, {frame(TypePair, []byte("ABCDEFG1")...), ToBridge},
		{frame(TypeUserText), ToBridge}, {frame(TypeUserText, 'a', 9), ToBridge},
		{frame(TypeApprovalDecision, 4), ToBridge}, {frame(TypeApprovalRequest, 1, 0, 2), ToC64},
		{frame(TypeActivityEvent, 1, 0, 3), ToC64}, {frame(TypeHistoryText, 2), ToC64},
		{frame(TypeSettingsSet, 4), ToBridge}, {frame(TypeSettingsState, 4, 0), ToC64},
		{frame(TypeAccessSet, 3), ToBridge}, {frame(TypeAccessState, 3), ToC64},
		{frame(TypeSessionEntry, 0, 2), ToC64}, {frame(TypeDashboardGet, 4), ToBridge},
		{frame(TypeDashboardEntry, 4, 0), ToC64}, {frame(TypeDashboardDone, 9, 0), ToC64},
		{frame(TypeDashboardEntry, 1, 0, 3), ToC64}, {frame(TypeDashboardEntry, 2, 0, 'X', 0, 0, 0, 0), ToC64},
		{frame(TypeDiffLine, 4), ToC64}, {frame(TypeApprovalDetailLine, 0, 0, 4), ToC64},
	} {
		if _, err := Decode(c.d, c.f); !errors.Is(err, ErrValue) || errors.Is(err, ErrFraming) {
			t.Errorf("%v % X: %v", c.f.Type, c.f.Payload, err)
		}
	}
}

func TestRowShorterThanItsFieldsIsFramingFault(t *testing.T) {
	for _, p := range [][]byte{{byte(TabActivity), 0}, {byte(TabChanges), 0, 'M', 0, 0, 0}} {
		if _, err := Decode(ToC64, Frame{TypeDashboardEntry, 0, p}); !errors.Is(err, ErrFraming) {
			t.Errorf("% X: %v", p, err)
		}
	}
}

func TestHalfANameOfADecisionIsFramingFault(t *testing.T) {
	var m ApprovalDecision
	if err := m.Decode(Frame{TypeApprovalDecision, 0, []byte{0, 1}}); !errors.Is(err, ErrFraming) {
		t.Fatal(err)
	}
}

func TestGreetingOfAnotherVersionAsksForThisOne(t *testing.T) {
	for _, p := range []string{"PROMPT64/1", "PROMPT64/", "PROMPT64/2 ", ""} {
		var m Hello
		err := m.Decode(Frame{TypeHello, 0, []byte(p)})
		if !errors.Is(err, ErrFraming) || FaultWords(err, "") != ErrorVersion {
			t.Errorf("%q: %v", p, err)
		}
	}
}

func TestDecodeOfAnotherTypeIsRefused(t *testing.T) {
	var m LeaseGet
	if err := m.Decode(Frame{Type: TypeHeartbeat}); !errors.Is(err, ErrFraming) {
		t.Fatal(err)
	}
}

func TestUnknownDisplayBitsAreDropped(t *testing.T) {
	var set SettingsSet
	if err := set.Decode(Frame{TypeSettingsSet, 0, []byte{1, 0xFF}}); err != nil || set.Display != DisplayPalette {
		t.Fatalf("%+v, %v", set, err)
	}
}
