package supervisor

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestPartThatRestsLongerThanItsDeadlineIsNotTakenForStuck(t *testing.T) {
	inTree(t, func(t *testing.T, tree *Tree) {
		var rests atomic.Int32
		s := &starts{do: func(ctx context.Context, _ int32) error {
			for Rest(ctx, 10*DefaultDeadline) {
				rests.Add(1)
			}
			return nil
		}}
		tree.Add(Part{Name: "x", Service: s, Deadline: DefaultDeadline})
		time.Sleep(100*DefaultDeadline + time.Second)
		synctest.Wait()
		if s.n.Load() != 1 || rests.Load() != 10 {
			t.Errorf("%d starts, %d rests: %+v", s.n.Load(), rests.Load(), tree.state("x"))
		}
	})
}
