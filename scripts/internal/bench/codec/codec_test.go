package codec

import (
	"bytes"
	"testing"

	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
)

func TestMixHoldsEveryMessage(t *testing.T) {
	mixes, err := loadMixes()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mixes {
		for i := range 256 {
			if ty := frames.Type(i); ty.Known() && ty.Allowed(m.direction) && m.into[i] == nil {
				t.Errorf("%v is not in the mix", ty)
			}
		}
		if !bytes.Equal(bytes.Join(m.encoded, nil), m.stream) {
			t.Error("the stream is not the frames")
		}
	}
}

func TestDecodingGoesThroughEveryFrameAgainAndAgain(t *testing.T) {
	mixes, err := loadMixes()
	if err != nil {
		t.Fatal(err)
	}
	d := newDecoding(mixes)
	d.run(3)
	if d.err != nil {
		t.Fatal(d.err)
	}
}

func TestAFaultInTheStreamIsReported(t *testing.T) {
	mixes, err := loadMixes()
	if err != nil {
		t.Fatal(err)
	}
	mixes[0].stream[0] = 0xFF
	d := newDecoding(mixes)
	if d.run(1); d.err == nil {
		t.Error("a frame of type FF was decoded")
	}
}

func TestMeasureGivesThreeRowsAWay(t *testing.T) {
	rows, err := Measure(t.Context(), plan.Plan{Quick: true})
	if err != nil || len(rows) != 6 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows {
		if r.Aim == nil && r.Value <= 0 {
			t.Errorf("%s: %v", r.Name, r.Value)
		}
	}
}
