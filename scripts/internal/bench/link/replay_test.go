package link

import (
	"bytes"
	"errors"
	"testing"

	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/scripts/internal/bench/rig"
)

// sizes notes how long each write was.
type sizes struct {
	bytes.Buffer
	each []int
	left int
}

func (s *sizes) Write(p []byte) (int, error) {
	if s.left--; s.left == 0 {
		return 0, errors.New("enough")
	}
	s.each = append(s.each, len(p))
	return s.Buffer.Write(p)
}

func someLog() []byte {
	log := frames.AssistantDelta{Seq: 1, Text: []byte("some words")}.AppendTo(nil)
	log = frames.AssistantDelta{Seq: 2, Text: bytes.Repeat([]byte("x"), frames.MaxDeltaText)}.AppendTo(log)
	return frames.TurnDone{Seq: 3}.AppendTo(log)
}

func TestTheBareCopyWritesFrameByFrame(t *testing.T) {
	log := someLog()
	var w sizes
	if err := writeFrames(&w, log); err != nil {
		t.Fatal(err)
	}
	if len(w.each) != 3 || w.each[1] != frames.MaxFrameToC64 || !bytes.Equal(w.Bytes(), log) {
		t.Errorf("writes of %v bytes", w.each)
	}
	if err := writeFrames(&sizes{left: 2}, log); err == nil {
		t.Error("a failed write was not reported")
	}
	if took, err := copied(log); err != nil || took <= 0 {
		t.Errorf("copied in %v, %v", took, err)
	}
}

func TestAReplayOfAnotherSizeIsNoMeasurement(t *testing.T) {
	b, err := rig.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	token, log, err := fill(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	if len(log) > frames.MaxRetained || log[len(log)-6] != byte(frames.TypeTurnDone) {
		t.Errorf("the log has %d bytes and ends with % X", len(log), log[len(log)-6:])
	}
	if _, err := replayed(t.Context(), b, token, len(log)-1); err == nil {
		t.Error("one byte more than retained was taken for the log")
	}
	if err := b.Detached(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := replayed(t.Context(), b, frames.Token{}, len(log)); err == nil {
		t.Error("nobody's lease was replayed")
	}
}
