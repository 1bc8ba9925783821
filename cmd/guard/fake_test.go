package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/guardlog"
)

// fake is a machine that can be broken, with clocks that a test turns.
type fake struct {
	now                   moment
	bridge, pages         error
	work                  guardlog.Work
	held                  uint64
	noDump, noDisk, stays error // what does not work
	trial, committed      bool

	disk guardlog.Log
	did  []string
	fed  atomic.Bool // the watchdog
}

var _ system = (*fake)(nil)

func (f *fake) Now() moment                            { return f.now }
func (f *fake) Bridge(context.Context) error           { return f.bridge }
func (f *fake) Pages(context.Context) error            { return f.pages }
func (f *fake) Memory(context.Context) (uint64, error) { return f.held, nil }
func (f *fake) Work() guardlog.Work                    { return f.work }
func (f *fake) Trial() bool                            { return f.trial }
func (f *fake) Committed() (bool, error)               { return f.committed, nil }
func (f *fake) Load() (guardlog.Log, error)            { return f.disk, nil }

func (f *fake) Feed(ctx context.Context) error {
	f.fed.Store(true)
	<-ctx.Done()
	return nil
}

func (f *fake) Save(l guardlog.Log) error {
	if f.noDisk == nil {
		l.Entries = append([]guardlog.Entry(nil), l.Entries...)
		l.Reboots = append([]guardlog.Moment(nil), l.Reboots...)
		f.disk = l
	}
	return f.noDisk
}

func (f *fake) Dump(context.Context) error {
	f.did = append(f.did, "dump")
	return f.noDump
}

func (f *fake) Restart(context.Context) error {
	f.did = append(f.did, "restart")
	return nil
}

func (f *fake) Reboot(context.Context) error {
	f.did = append(f.did, "reboot")
	return errors.New("it goes on") // so that the test may
}

func (f *fake) count(what string) (n int) {
	for _, did := range f.did {
		if did == what {
			n++
		}
	}
	return n
}

// pass lets time go by on both clocks.
func (f *fake) pass(d time.Duration) {
	f.now.up += d
	f.now.wall = f.now.wall.Add(d)
}

// boot starts the system anew, and a guard on it.
func (f *fake) boot(t *testing.T) *guard {
	t.Helper()
	f.now.boot, f.now.up = fmt.Sprint("boot after ", f.now.boot, f.now.up), 0
	g := newGuard(f)
	var err error
	if g.log, err = f.Load(); err != nil {
		t.Fatal(err)
	}
	g.starting()
	return g
}

// rounds makes n rounds, five seconds apart.
func (f *fake) rounds(t *testing.T, g *guard, n int) {
	t.Helper()
	for range n {
		f.pass(every)
		g.round(t.Context())
	}
}

// untilActs makes rounds until something was done.
func (f *fake) untilActs(t *testing.T, g *guard) {
	t.Helper()
	before := len(f.did)
	for range 100 {
		f.rounds(t, g, 1)
		if len(f.did) > before {
			return
		}
	}
	t.Fatal("guard does nothing")
}

func newFake() *fake {
	log.SetOutput(io.Discard)
	return &fake{now: moment{wall: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), boot: "0"}}
}

func TestMain(m *testing.M) {
	if os.Getenv(playVariable) != "" {
		play()
		return
	}
	os.Exit(m.Run())
}
