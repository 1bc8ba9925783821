package main_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/prompt64/prompt64/c64prg/machine/uci"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// cut breaks the line so many bytes after a moment.
type cut struct {
	name  string
	when  moment
	bytes int
	dir   uci.Direction
}

// Sizes of frames, header included.
const (
	helloSize    = 4 + 10
	helloOkSize  = 4 + 4
	leaseGetSize = 4
	leaseSize    = 4 + 16 + 2
	deltaSize    = 4 + 2 + len(" delta 6")
	endSize      = 4 + 2
	decisionSize = 4 + 3
	slowSize     = 4 + len(slowPrompt)
	runSize      = 4 + len(runPrompt)
)

// cuts are the stages of a connection, a turn and an approval. In is what comes
// to the C64.
var cuts = []cut{
	{"before Hello", beforeConnect, 0, uci.Out},
	{"in Hello", beforeConnect, 5, uci.Out},
	{"after Hello", beforeConnect, helloSize, uci.Out},
	{"in HelloOk", beforeConnect, 3, uci.In},
	{"after HelloOk", beforeConnect, helloOkSize, uci.In},
	{"in LeaseGet", beforeConnect, helloSize + 2, uci.Out},
	{"after LeaseGet", beforeConnect, helloSize + leaseGetSize, uci.Out},
	{"in LeaseState", beforeConnect, helloOkSize + 9, uci.In},
	{"after LeaseState", beforeConnect, helloOkSize + leaseSize, uci.In},
	{"idle", online, 0, uci.In},
	{"before the prompt", beforeSlow, 0, uci.Out},
	{"in the prompt", beforeSlow, slowSize / 2, uci.Out},
	{"after the prompt", beforeSlow, slowSize, uci.Out},
	{"in the first delta", beforeSlow, 7, uci.In},
	{"after the first delta", beforeSlow, 4 + 2 + len("delta 1"), uci.In},
	{"in mid stream", midStream, 0, uci.In},
	{"in a delta", midStream, deltaSize + 5, uci.In},
	{"between deltas", midStream, 2 * deltaSize, uci.In},
	{"before the last delta", beforeEnd, 0, uci.In},
	{"before the end", beforeEnd, deltaSize, uci.In},
	{"in the end", beforeEnd, deltaSize + 3, uci.In},
	{"after the end", beforeEnd, deltaSize + endSize, uci.In},
	{"in the second prompt", beforeRun, runSize - 1, uci.Out},
	{"after the second prompt", beforeRun, runSize, uci.Out},
	{"in the activity", beforeRun, 9, uci.In},
	{"in the approval", beforeRun, 45, uci.In},
	{"while the approval is shown", beforeShown, 0, uci.In},
	{"in the detail", beforeShown, 30, uci.In},
	{"before the decision", beforeA, 0, uci.Out},
	{"in the decision", beforeA, 2, uci.Out},
	{"after the decision", beforeA, decisionSize, uci.Out},
	{"in the acknowledgement", beforeA, 3, uci.In},
	{"after the acknowledgement", beforeA, endSize, uci.In},
	{"in the end of the activity", beforeA, endSize + 8, uci.In},
	{"in the answer", beforeA, endSize + 50, uci.In},
}

var kinds = []struct {
	name string
	kind uci.Cut
}{{"black hole", uci.BlackHole}, {"reset", uci.Reset}, {"close", uci.Close}}

// pairwise says whether a combination is played by default: each cut in each
// way, and each way on each machine. PROMPT64_LONG=1 plays the whole product.
func pairwise(cut, kind, machine, all int) bool {
	return long || (cut+kind*5)%all == machine
}

func TestTranscriptIsTheSameWhereverTheLineIsCut(t *testing.T) {
	t.Parallel()
	want := undisturbed(t)
	all := machines()
	for i, what := range cuts {
		for j, how := range kinds {
			for k, m := range all {
				if !pairwise(i, j, k, len(all)) {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/%s", what.name, how.name, m.name), func(t *testing.T) {
					t.Parallel()
					b := stage.Open(t, stage.BridgeOptions{})
					c := stage.Boot(t, b.Addr, m.Machine)
					talk(b, c, func(now moment) {
						if now == what.when {
							c.CutAfter(what.bytes, what.dir, how.kind)
						}
					})
					played(t, b, c, want)
					if n := c.Dials.Load(); n < 2 {
						t.Errorf("the line was opened %d times: it was never cut", n)
					}
				})
			}
		}
	}
}

// weather is how many talks are played on a line that breaks again and again.
func weather() int {
	if long {
		return 300
	}
	return 16
}

func TestTranscriptIsTheSameHoweverOftenTheLineIsCut(t *testing.T) {
	t.Parallel()
	want := undisturbed(t)
	all := machines()
	for i := range weather() {
		m := all[i%len(all)]
		t.Run(fmt.Sprintf("%d on %s", i, m.name), func(t *testing.T) {
			t.Parallel()
			b := stage.Open(t, stage.BridgeOptions{})
			m.Seed = seed(t)
			c := stage.Boot(t, b.Addr, m.Machine)
			dice := rand.New(rand.NewPCG(m.Seed, 0))
			cuts := 0
			c.Dialled = func() { // each line may be cut, the first four are
				if cuts++; cuts <= 4 || cuts < 12 && dice.IntN(2) == 0 {
					dir := uci.Direction(dice.IntN(2))
					most := 160 // a talk has more than that to say to a C64
					if dir == uci.Out {
						most = 70
					}
					c.CutAfter(dice.IntN(most), dir, kinds[dice.IntN(len(kinds))].kind)
				}
			}
			talk(b, c, func(moment) {})
			played(t, b, c, want)
			if n := c.Dials.Load(); n < 2 {
				t.Errorf("the line was opened %d times: it was never cut", n)
			}
		})
	}
}
