package main

import (
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// faults remembers what the program survived, for STATUS, the pages and a bundle. The
// log has each with its stack.
type faults struct {
	log *slog.Logger

	mu    sync.Mutex
	count int
	last  string
	at    time.Time
}

// hear notes a fault of any goroutine.
func (f *faults) hear(one *guarded.Fault) {
	one.Log(f.log)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	f.last, f.at = one.Error(), time.Now()
}

// words tell of the last one; empty: there was none.
func (f *faults) words() string {
	if f == nil { // an app that did not start
		return ""
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count == 0 {
		return ""
	}
	return fmt.Sprintf("%s (%s ago, %d since the start)", f.last, time.Since(f.at).Round(time.Second), f.count)
}

// makeFaults learns of the faults from now on.
func (a *app) makeFaults() {
	a.faults = &faults{log: a.log.With("part", "bridge")}
	guarded.Tell(a.faults.hear)
}

// faultStatus is a row of STATUS when there was a fault.
func (a *app) faultStatus() []string {
	if words := a.faults.words(); words != "" {
		return []string{"SURVIVED: " + words}
	}
	return nil
}
