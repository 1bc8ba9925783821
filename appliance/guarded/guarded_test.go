package guarded

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// listen collects what is told.
func listen(t *testing.T) (told func() []*Fault) {
	t.Helper()
	var mu sync.Mutex
	var all []*Fault
	Tell(func(f *Fault) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, f)
	})
	t.Cleanup(func() { Tell(nil) })
	return func() []*Fault {
		mu.Lock()
		defer mu.Unlock()
		return all
	}
}

// breaks panics where a stack can tell.
func breaks() { panic("boom") }

// Whatever way a goroutine ends that should not, its owner is told so once, behind
// the deferred calls, and the log has its name and its stack.
func TestOwnerLearnsOfEveryEndThatIsNoReturn(t *testing.T) {
	starts := map[string]func(f func(), lost func(error)){
		"Run": func(f func(), lost func(error)) { go Run("worker", f, lost) },
		"Go":  func(f func(), lost func(error)) { Go("worker", f, lost) },
		"In": func(f func(), lost func(error)) {
			var all sync.WaitGroup
			In(&all, "worker", f, lost)
			all.Wait()
		},
		"AfterFunc": func(f func(), lost func(error)) { AfterFunc(0, "worker", f, lost) },
		"AfterDone": func(f func(), lost func(error)) {
			ctx, cancel := context.WithCancel(t.Context())
			AfterDone(ctx, "worker", f, lost)
			cancel()
		},
	}
	for how, start := range starts {
		for what, c := range map[string]struct {
			f     func()
			words string // of the fault; empty: there is none
		}{
			"returns": {func() {}, ""}, "panics": {breaks, "boom"}, "panics with nil": {func() { panic(nil) }, "nil"},
			"vanishes": {runtime.Goexit, "without a return"},
		} {
			t.Run(how+" "+what, func(t *testing.T) {
				told := listen(t)
				ended, lost := make(chan struct{}), make(chan error, 2)
				start(func() { defer close(ended); c.f() }, func(err error) {
					select {
					case <-ended:
					default:
						t.Error("it is told before the deferred calls")
					}
					lost <- err
				})
				<-ended
				if c.words == "" {
					time.Sleep(time.Millisecond)
					if len(lost) != 0 || len(told()) != 0 {
						t.Errorf("a fault: %v", told())
					}
					return
				}
				var fault *Fault
				if err := <-lost; !errors.As(err, &fault) || len(told()) != 1 || told()[0] != fault {
					t.Fatalf("%v; told: %v", err, told())
				}
				if text := fault.Error(); !strings.Contains(text, "worker") || !strings.Contains(text, c.words) || strings.Contains(text, "\n") {
					t.Errorf("it says %q", text)
				}
				if c.words == "boom" && !strings.Contains(fault.Stack, "guarded.breaks") {
					t.Errorf("the stack leads elsewhere:\n%s", fault.Stack)
				}
			})
		}
	}
}

// A fault in what was to mend a fault, or in the telling, goes no further.
func TestFaultBehindAFaultGoesNoFurther(t *testing.T) {
	told := listen(t)
	Run("first", breaks, func(error) { panic("again") })
	if all := told(); len(all) != 2 || all[0].Words != "boom" || all[1].Words != "again" {
		t.Errorf("told: %v", all)
	}
	Tell(func(*Fault) { panic("deaf") })
	lost := false
	Run("second", breaks, func(error) { lost = true })
	if !lost {
		t.Error("the owner is not told")
	}
}

// A call from somebody else's goroutine gets an error, and a fault that went through
// two goroutines tells of the place where it began.
func TestCallTurnsAPanicIntoAnErrorThatKeepsItsPlace(t *testing.T) {
	told := listen(t)
	err := Call("outer", func() error { panic(Call("inner", func() error { breaks(); return nil })) })
	var fault *Fault
	if !errors.As(err, &fault) || fault.Name != "inner" || !strings.Contains(fault.Stack, "guarded.breaks") || len(told()) != 1 {
		t.Errorf("%v, told %v", err, told())
	}
	if err := Call("fine", func() error { return io.EOF }); err != io.EOF {
		t.Error(err)
	}
	if _, err := Writer("writer", writerFunc(func([]byte) (int, error) { panic("full") })).Write(nil); !errors.As(err, &fault) || fault.Words != "full" {
		t.Error(err)
	}
	if n, err := Writer("writer", writerFunc(func(p []byte) (int, error) { return len(p), io.EOF })).Write([]byte("ab")); n != 2 || err != io.EOF {
		t.Error(n, err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestFaultIsOneShortLineAndIsLoggedWithItsStack(t *testing.T) {
	var log bytes.Buffer
	Tell(func(f *Fault) { f.Log(slog.New(slog.NewTextHandler(&log, nil))) })
	t.Cleanup(func() { Tell(nil) })
	err := Call("reader", func() error { panic(strings.Repeat("é", 500) + "\nsecond") })
	if len(err.Error()) > 300 || strings.Contains(err.Error(), "second") {
		t.Errorf("%d bytes: %v", len(err.Error()), err)
	}
	for _, want := range []string{"level=ERROR", "goroutine=reader", "guarded.Call"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q: %s", want, log.String())
		}
	}
}
