package link

import (
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
)

func TestOnlyDeltasOfTheAnswerAreArrivals(t *testing.T) {
	s, err := open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	s.session.Push(
		provider.ActivityEvent{ID: "1", Lifecycle: frames.ActivityStarted, Label: "go test"},
		provider.TextEvent{Text: " ran"},
		provider.EndEvent{End: provider.EndDone})
	a, err := next(s.deltas)
	if err != nil || a.text != " ran" || a.at.IsZero() {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestAnEndedStreamIsNoArrival(t *testing.T) {
	s, err := open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.close()
	if _, err := next(s.deltas); err != errNoDelta {
		t.Errorf("%v", err)
	}
}

func TestRowsOfTheIdleStreamTellTheRatioToTheEcho(t *testing.T) {
	rows := idleRows([]idleRun{{
		delta: stats.Sample{0.3, 0.1, 0.2}, there: stats.Sample{0.05}, back: stats.Sample{0.1},
	}})
	if len(rows) != 10 {
		t.Fatalf("%d rows", len(rows))
	}
	if p50 := rows[0]; p50.Value != 0.2 || p50.Ratio != 2 || p50.To != "echo" {
		t.Errorf("p50: %+v", p50)
	}
	if p99 := rows[5]; p99.Value != 0.3 || p99.Unit != "ms" {
		t.Errorf("p99: %+v", p99)
	}
}
