package frames

import (
	"bytes"
	"testing"
)

// stream repeats a text without end.
type stream struct {
	b  []byte
	at int
}

func (s *stream) Read(p []byte) (int, error) {
	n := copy(p, s.b[s.at:])
	s.at = (s.at + n) % len(s.b)
	return n, nil
}

func TestEncodeAndDecodeAllocateNothing(t *testing.T) {
	buf := make([]byte, 0, MaxFrameToBridge)
	text := fill(MaxDeltaText)
	prompt := UserText{fill(MaxPromptText)}.AppendTo(nil)[HeaderSize:]
	for name, run := range map[string]func(){
		"encode delta":    func() { buf = AssistantDelta{1, text}.AppendTo(buf[:0]) },
		"encode activity": func() { buf = ActivityEvent{1, ActivityStarted, text}.AppendTo(buf[:0]) },
		"encode line":     func() { buf = DiffLine{true, LineAddition, text}.AppendTo(buf[:0]) },
		"encode state":    func() { buf = ReconnectState{sampleToken, true, 9}.AppendTo(buf[:0]) },
		"decode prompt": func() {
			var m UserText
			if m.Decode(Frame{TypeUserText, 0, prompt}) != nil {
				t.Fail()
			}
		},
		"decode reconnect": func() {
			var m Reconnect
			if m.Decode(Frame{TypeReconnect, 0, prompt[:18]}) != nil {
				t.Fail()
			}
		},
	} {
		if n := testing.AllocsPerRun(100, run); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestReaderAllocatesNothingForAFrame(t *testing.T) {
	r := NewReader(&stream{b: allFrames(ToC64)}, ToC64)
	next := func() {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(1000, next); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func allFrames(d Direction) []byte {
	var b []byte
	for _, s := range samples() {
		if s.d == d {
			b = s.m.AppendTo(b)
		}
	}
	return b
}

func BenchmarkEncodeDelta(b *testing.B) {
	buf := make([]byte, 0, MaxFrameToC64)
	text := fill(MaxDeltaText)
	b.ReportAllocs()
	b.SetBytes(MaxFrameToC64)
	for b.Loop() {
		buf = AssistantDelta{1, text}.AppendTo(buf[:0])
	}
}

func BenchmarkDecodeDelta(b *testing.B) {
	var m AssistantDelta
	f := Frame{TypeAssistantDelta, 0, AssistantDelta{1, fill(MaxDeltaText)}.AppendTo(nil)[HeaderSize:]}
	b.ReportAllocs()
	b.SetBytes(MaxFrameToC64)
	for b.Loop() {
		if err := m.Decode(f); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadFrames(b *testing.B) {
	frame := AssistantDelta{1, fill(MaxDeltaText)}.AppendTo(nil)
	r := NewReader(&stream{b: bytes.Repeat(frame, 16)}, ToC64)
	b.ReportAllocs()
	b.SetBytes(MaxFrameToC64)
	for b.Loop() {
		if _, err := r.Next(); err != nil {
			b.Fatal(err)
		}
	}
}
