package supervisor

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// inTree runs f with a Tree on a clock of its own, and stops the Tree.
func inTree(t *testing.T, f func(t *testing.T, tree *Tree)) {
	synctest.Test(t, func(t *testing.T) {
		tree := New(nil)
		f(t, tree)
		if err := tree.Stop(t.Context()); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
}

// starts is a service that counts its starts and does as it is told each time.
type starts struct {
	n  atomic.Int32
	do func(ctx context.Context, n int32) error
}

func (s *starts) Serve(ctx context.Context) error { return s.do(ctx, s.n.Add(1)) }

func untilEnd(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

func (t *Tree) state(name string) State {
	for _, s := range t.States() {
		if s.Name == name {
			return s
		}
	}
	return State{}
}

func TestPartThatFailsOrPanicsOrEndsIsBackAtOnce(t *testing.T) {
	fault := errors.New("a fault")
	for name, c := range map[string]struct {
		fail    func() error
		trouble string
	}{
		"error": {func() error { return fault }, "a fault"},
		"panic": {func() error { panic("boom") }, "fault in part x: boom"},
		"end":   {func() error { return nil }, errEnded.Error()},
		"exit":  {func() error { runtime.Goexit(); return nil }, "fault in part x: it ended without a return"},
	} {
		t.Run(name, func(t *testing.T) {
			inTree(t, func(t *testing.T, tree *Tree) {
				s := &starts{do: func(ctx context.Context, n int32) error {
					if n == 1 {
						return c.fail()
					}
					return untilEnd(ctx)
				}}
				began := time.Now()
				tree.Add(Part{Name: "x", Service: s})
				synctest.Wait()
				if got := s.n.Load(); got != 2 || time.Since(began) != 0 {
					t.Errorf("%d starts after %v", got, time.Since(began))
				}
				st := tree.state("x")
				if !st.Running || st.Restarts != 1 || st.Trouble != c.trouble || st.At.IsZero() {
					t.Errorf("state %+v", st)
				}
				if last, ok := tree.LastTrouble(); !ok || last.Name != "x" {
					t.Errorf("last trouble %+v", last)
				}
			})
		})
	}
}

func TestStuckPartIsBackWithinItsDeadlineEvenIfItNeverLetsGo(t *testing.T) {
	for name, stubborn := range map[string]bool{"lets go": false, "never lets go": true} {
		t.Run(name, func(t *testing.T) {
			inTree(t, func(t *testing.T, tree *Tree) {
				release := make(chan struct{})
				defer close(release)
				s := &starts{do: func(ctx context.Context, n int32) error {
					if n == 1 {
						Pet(ctx)
						if stubborn {
							<-release
							return nil
						}
						return untilEnd(ctx)
					}
					return petting(ctx)
				}}
				const deadline = 10 * time.Second
				tree.Add(Part{Name: "x", Service: s, Deadline: deadline})
				time.Sleep(deadline - time.Second)
				synctest.Wait()
				if s.n.Load() != 1 {
					t.Fatal("replaced before its deadline")
				}
				time.Sleep(time.Second + grace)
				synctest.Wait()
				st := tree.state("x")
				if s.n.Load() != 2 || !st.Running || !strings.Contains(st.Trouble, "stuck") || (st.Left == 1) != stubborn {
					t.Errorf("%d starts, %+v", s.n.Load(), st)
				}
				time.Sleep(time.Hour)
				synctest.Wait()
				if s.n.Load() != 2 {
					t.Errorf("a part that pets was replaced: %d starts", s.n.Load())
				}
			})
		})
	}
}

// petting pets as often as it should until ctx is over.
func petting(ctx context.Context) error {
	tick := time.NewTicker(PetEvery(ctx))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			Pet(ctx)
		}
	}
}

func TestPartThatFailsForEverIsTriedForEverWithPauses(t *testing.T) {
	inTree(t, func(t *testing.T, tree *Tree) {
		s := &starts{do: func(context.Context, int32) error { return errors.New("no") }}
		tree.Add(Part{Name: "x", Service: s})
		synctest.Wait()
		if n := s.n.Load(); n > inARow+1 {
			t.Errorf("%d starts in a row", n)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		n := s.n.Load()
		if perHour := int32(time.Hour / pause); n < perHour/2 || n > (inARow+2)*perHour {
			t.Errorf("%d starts in an hour", n)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if s.n.Load() < 2*n-n/4 {
			t.Errorf("it is tried less and less: %d, then %d", n, s.n.Load())
		}
	})
}

func TestNeededPartThatFailsTooOftenEndsTheTreesPatienceOnce(t *testing.T) {
	inTree(t, func(t *testing.T, tree *Tree) {
		fault := errors.New("port taken")
		failing := func() *starts {
			return &starts{do: func(context.Context, int32) error { return fault }}
		}
		needed, other := failing(), failing()
		well := &starts{do: func(ctx context.Context, _ int32) error { return untilEnd(ctx) }}
		tree.Add(Part{Name: "other", Service: other, Patience: 2})
		tree.Add(Part{Name: "well", Service: well, Patience: 1, Needed: true})
		synctest.Wait()
		select {
		case err := <-tree.Failed():
			t.Errorf("a part that is not needed failed the tree: %v", err)
		default:
		}
		tree.Add(Part{Name: "needed", Service: needed, Patience: 5, Needed: true})
		if err := <-tree.Failed(); !errors.Is(err, fault) || !strings.Contains(err.Error(), "needed") {
			t.Errorf("failed with %v", err)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if needed.n.Load() != 5 || other.n.Load() != 2 || well.n.Load() != 1 {
			t.Errorf("starts %d, %d, %d", needed.n.Load(), other.n.Load(), well.n.Load())
		}
		if !tree.state("needed").GivenUp || tree.state("well").GivenUp {
			t.Errorf("states %+v", tree.States())
		}
	})
}

func TestOldFailuresAreForgotten(t *testing.T) {
	inTree(t, func(t *testing.T, tree *Tree) {
		s := &starts{do: func(ctx context.Context, _ int32) error {
			select {
			case <-time.After(FailureWindow):
				return errors.New("once in a while")
			case <-ctx.Done():
				return nil
			}
		}}
		tree.Add(Part{Name: "x", Service: s, Patience: 2, Needed: true})
		time.Sleep(20*FailureWindow + time.Minute)
		synctest.Wait()
		if s.n.Load() != 21 || tree.state("x").GivenUp {
			t.Errorf("%d starts, %+v", s.n.Load(), tree.state("x"))
		}
	})
}

func TestPartThatIsDoneRests(t *testing.T) {
	inTree(t, func(t *testing.T, tree *Tree) {
		s := &starts{do: func(context.Context, int32) error { return ErrDone }}
		tree.Add(Part{Name: "x", Service: s, Patience: 1, Needed: true})
		time.Sleep(time.Hour)
		synctest.Wait()
		if st := tree.state("x"); s.n.Load() != 1 || st.Running || st.Trouble != "" || st.GivenUp {
			t.Errorf("%d starts, %+v", s.n.Load(), st)
		}
	})
}

func TestPartsEndInTheOppositeOrderOfTheirStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tree := New(nil)
		var ended []string
		for _, name := range []string{"a", "b", "c"} {
			tree.Add(Part{Name: name, Service: Func(func(ctx context.Context) error {
				<-ctx.Done()
				time.Sleep(time.Second) // a slow end holds up the next one
				ended = append(ended, name)
				return nil
			})})
		}
		synctest.Wait()
		if err := tree.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(ended, ""); got != "cba" {
			t.Errorf("ended %q", got)
		}
		tree.Add(Part{Name: "late", Service: Func(func(context.Context) error {
			t.Error("a part was started after the end")
			return ErrDone
		})})
	})
}

func TestPartThatDoesNotStopHoldsUpTheEndForABoundedTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tree := New(nil)
		release := make(chan struct{})
		tree.Add(Part{Name: "first", Service: Func(untilEnd)})
		tree.Add(Part{Name: "deaf", Service: Func(func(context.Context) error { <-release; return nil })})
		synctest.Wait()
		began := time.Now()
		if err := tree.Stop(t.Context()); err != nil || time.Since(began) != stopTime {
			t.Errorf("stopped after %v with %v", time.Since(began), err)
		}
		if tree.state("first").Running || tree.state("deaf").Left != 1 {
			t.Errorf("states %+v", tree.States())
		}
		close(release)
	})
}

func TestStopGivesUpWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tree := New(nil)
		release := make(chan struct{})
		tree.Add(Part{Name: "first", Service: Func(untilEnd)})
		tree.Add(Part{Name: "deaf", Service: Func(func(context.Context) error { <-release; return nil })})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := tree.Stop(ctx); err == nil || !strings.Contains(err.Error(), "deaf") {
			t.Errorf("stop: %v", err)
		}
		time.Sleep(stopTime)
		synctest.Wait()
		if tree.state("first").Running {
			t.Error("the other part runs on")
		}
		close(release)
	})
}
