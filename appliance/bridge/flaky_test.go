package bridge

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/frames/framestest"
)

// Every scenario has a twin on a line that refuses, resets, slices, stalls and
// loses parts of writes, at both ends, by a seed that the test prints.
func TestFlakyTwinOfEveryScenarioEndsInTheSameStory(t *testing.T) {
	seed := framestest.Seed(t)
	for scenario := range scenarios {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			th := openTheatre(t)
			want := th.play(t, scenario, th.dialTCP)
			runs := uint64(12)
			if testing.Short() {
				runs = 3
			}
			for run := range runs {
				network := framestest.NewNetwork(seed+run, misbehave)
				got := th.play(t, scenario, network.Dial(th.dialTCP))
				network.Close()
				if got != want {
					t.Errorf("seed %d, run %d: the story differs (-good +flaky):\n%s", seed, run, cmp.Diff(want, got))
				}
			}
		})
	}
}

// misbehave gives the first connections bad manners. Later ones are good, so that
// every story comes to its end.
func misbehave(n int) framestest.Plan {
	const bad = 10
	if n >= bad {
		return framestest.Plan{Slice: 1}
	}
	return framestest.Plan{
		Refuse:   0.2,
		Reset:    0.02,
		Partial:  0.02,
		Stall:    0.1,
		StallFor: time.Millisecond,
		Slice:    1 + n%4,
	}
}
