package serial

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// In a bubble the line's time is exact: the aim is met, and nothing is faster
// than the line.
func TestPayloadMeetsItsAimAndTheLineIsTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rows, err := Measure(t.Context(), plan.Plan{Quick: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != 4 {
			t.Fatalf("%d rows", len(rows))
		}
		for _, r := range rows {
			t.Logf("%s: %.1f %s, %.3f of the line", r.Name, r.Value, r.Unit, r.Ratio)
			if r.Aim != nil && (r.Verdict() != "ok" || r.Value >= lineSpeed) {
				t.Errorf("%s: %.0f B/s", r.Name, r.Value)
			}
			if r.Aim == nil && r.Ratio < 1 {
				t.Errorf("%s: faster than the line", r.Name)
			}
		}
	})
}

func TestASlowLineMissesTheAim(t *testing.T) {
	rows := rowsOf("", stats.Sample{lineSpeed * 0.74}, stats.Sample{20})
	if v := rows[0].Verdict(); v != "under" {
		t.Errorf("74 %% of the line is %q", v)
	}
}

func TestAnEndedBenchStopsMeasuring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(500*time.Millisecond, cancel)
		if _, err := Measure(ctx, plan.Plan{}); err == nil || errors.Is(err, errOther) {
			t.Errorf("%v", err)
		}
	})
}
