package codex

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/provider/codex/codextest"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
)

func TestMain(m *testing.M) {
	codextest.Main()
	code := m.Run()
	if err := leaks.Find(); code == 0 && err != nil {
		_, _ = os.Stderr.WriteString(err.Error() + "\n")
		code = 1
	}
	os.Exit(code)
}

func TestBothWaysHearEveryWordAfterItWasWritten(t *testing.T) {
	for name, open := range map[string]func(context.Context) (talker, error){"bridge": openBridge, "bare": openBare} {
		t.Run(name, func(t *testing.T) {
			f, err := once(t.Context(), open, 5, 3)
			if err != nil {
				t.Fatal(err)
			}
			if len(f.delta) != 5 || len(f.first) != 3 {
				t.Errorf("%d deltas, %d first words", len(f.delta), len(f.first))
			}
			for _, v := range append(f.delta, f.first...) {
				if v <= 0 {
					t.Errorf("%g ms from its writing to its arrival", v)
				}
			}
		})
	}
}

func TestFailedTurnIsAnError(t *testing.T) {
	for name, open := range map[string]func(context.Context) (talker, error){"bridge": openBridge, "bare": openBare} {
		talk, err := open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, prompt := range []string{"[[fail out of cheese]]", "[[crash]]"} {
			if _, err := talk.turn(prompt); err == nil {
				t.Errorf("%s: %s counts as a turn", name, prompt)
			}
		}
		_ = talk.close() // what crashed says so
	}
}

func TestWordsThatArriveInPiecesCountWhenTheyAreWhole(t *testing.T) {
	var h heard
	at := time.Unix(1800000000, 500_000)
	for _, text := range []string{" 1800000000", "000000000 18000000000001", "00000", " 17"} {
		h.take(text, at)
	}
	if len(h.late) != 2 || h.late[0] != 0.5 || h.late[1] != 0.4 || h.open != "17" {
		t.Errorf("%v, left %q", h.late, h.open)
	}
}

func TestRowsTellWhatTheBridgeAdds(t *testing.T) {
	got := rows(
		[]figures{{stats.Sample{3, 4, 5}, stats.Sample{8}}},
		[]figures{{stats.Sample{1, 2, 3}, stats.Sample{2}}})
	if len(got) != 9 {
		t.Fatalf("%d rows", len(got))
	}
	if p50 := got[0]; p50.Value != 4 || p50.Ratio != 2 || p50.To != "direct" {
		t.Errorf("p50: %+v", p50)
	}
	for i, want := range map[int]float64{2: 2, 5: 2, 8: 6} {
		if got[i].Value != want {
			t.Errorf("%s is %g, want %g", got[i].Name, got[i].Value, want)
		}
	}
}
