//go:build hang

package supervisor

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/hang"
)

// What starts a part again may have a fault, too: then it is replaced.
func TestPartWhoseSupervisorBreaksIsBackAfterAPause(t *testing.T) {
	for _, how := range []hang.How{hang.Panic, hang.Vanish} {
		hang.Set("supervisor of x", how)
		inTree(t, func(t *testing.T, tree *Tree) {
			s := &starts{do: func(ctx context.Context, _ int32) error { return untilEnd(ctx) }}
			tree.Add(Part{Name: "x", Service: s})
			time.Sleep(pause)
			synctest.Wait()
			if st := tree.state("x"); !st.Running || s.n.Load() != 1 || !strings.Contains(st.Trouble, "supervisor of x") {
				t.Errorf("%s: %d starts, %+v", how, s.n.Load(), st)
			}
		})
	}
}
