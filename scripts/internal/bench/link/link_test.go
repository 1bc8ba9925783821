package link

import (
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
)

func TestMain(m *testing.M) { leaks.Main(m) }

func TestIdleMeasuresEveryDeltaAndEveryEcho(t *testing.T) {
	r, err := idle(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.delta) != 3 || len(r.there) != 3 || len(r.back) != 3 {
		t.Fatalf("%+v", r)
	}
	for i := range r.delta {
		if r.delta[i] <= 0 || r.there[i] <= 0 || r.back[i] < r.there[i] {
			t.Errorf("measurement %d: %+v", i, r)
		}
	}
}

func TestTheAimIsOnTheDifferenceAtP99OfTheMedianRun(t *testing.T) {
	run := func(delta, back float64) idleRun {
		return idleRun{delta: stats.Sample{delta}, there: stats.Sample{0.01}, back: stats.Sample{back}}
	}
	rows := idleRows([]idleRun{run(0.9, 0.1), run(0.3, 0.1), run(0.4, 0.15)})
	var judged []report.Row
	for _, r := range rows {
		if r.Aim != nil {
			judged = append(judged, r)
		}
	}
	if len(judged) != 1 || !strings.Contains(judged[0].Name, "p99") || judged[0].Verdict() != "ok" {
		t.Fatalf("judged: %+v", judged)
	}
	if got := judged[0].Value; got < 0.2499 || got > 0.2501 {
		t.Errorf("difference %v, want 0.25", got)
	}
}

func TestBusyTimesEveryWordAndMerges(t *testing.T) {
	r, words, frames, err := busy(t.Context(), 600)
	if err != nil {
		t.Fatal(err)
	}
	if len(r) != words || frames >= words {
		t.Errorf("%d times of %d words in %d frames", len(r), words, frames)
	}
	for i, v := range r {
		if v <= 0 {
			t.Errorf("word %d took %v ms", i, v)
		}
	}
}

func TestReplayBringsTheWholeLogEachTime(t *testing.T) {
	rows, err := Replay(t.Context(), plan.Plan{Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Value <= 0 {
			t.Errorf("%s: %v", r.Name, r.Value)
		}
	}
}

func TestWireCountsTheFarEndBeforeTheEcho(t *testing.T) {
	w, err := newWire(92)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		there, back, err := w.ping()
		if err != nil || there <= 0 || back < there {
			t.Errorf("there %v, back %v, %v", there, back, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if _, _, err := w.ping(); err == nil {
		t.Error("a closed wire answered")
	}
}
