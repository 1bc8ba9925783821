package providertest

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
)

// Fault is a fault in the code, where a test wants one: it panics once, after Set.
type Fault struct{ set atomic.Bool }

// Set makes the next Strike panic.
func (f *Fault) Set() { f.set.Store(true) }

// Struck reports whether it has panicked since Set.
func (f *Fault) Struck() bool { return !f.set.Load() }

// Strike panics if Set was called.
func (f *Fault) Strike() {
	if f.set.CompareAndSwap(true, false) {
		panic("a fault of the test")
	}
}

// Logger is a log that has the fault in a record with these words, so that it strikes
// whichever goroutine writes it.
func (f *Fault) Logger(words string) *slog.Logger { return slog.New(faultyLog{f, words}) }

type faultyLog struct {
	fault *Fault
	words string
}

func (faultyLog) Enabled(context.Context, slog.Level) bool { return true }

func (l faultyLog) Handle(_ context.Context, r slog.Record) error {
	if strings.Contains(r.Message, l.words) {
		l.fault.Strike()
	}
	return nil
}

func (l faultyLog) WithAttrs([]slog.Attr) slog.Handler { return l }
func (l faultyLog) WithGroup(string) slog.Handler      { return l }
