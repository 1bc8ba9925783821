package shaper

import (
	"testing"

	"github.com/prompt64/prompt64/frames/display"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/texts"
)

func TestWhatIsTimedIsTheWholeText(t *testing.T) {
	text := texts.Prose(3000)
	s := display.New(display.Options{Markdown: true})
	for range 2 { // a second round begins a new text
		if got := string(shape(s, texts.Pieces(text))); got != text {
			t.Fatalf("shaped %d of %d bytes", len(got), len(text))
		}
	}
}

func TestMeasureGivesProseAndMarkdown(t *testing.T) {
	rows, err := Measure(t.Context(), plan.Plan{Quick: true})
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows {
		if r.Value <= 0 || r.Ratio <= 0 {
			t.Errorf("%+v", r)
		}
	}
}
