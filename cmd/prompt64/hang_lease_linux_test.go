//go:build hang

package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/hang"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
)

// What carries one C64 fails in each way: it comes back to its session, the others
// go on.
func TestC64WhoseConnectionHangsComesBackToItsSession(t *testing.T) {
	r := newRigged(t)
	for _, name := range []string{
		"bridge reader", "bridge writer", "bridge watch", "bridge watch", // once more, since nobody misses it
		"serial line", "serial keeper", "serial reader", "serial writer",
	} {
		serial := strings.HasPrefix(name, "serial")
		for _, how := range ways {
			if how == hang.Hang && serial && name != "serial line" || how == hang.Hang && name == "bridge watch" {
				continue // what they wait for may take its time
			}
			t.Run(name+", "+string(how), func(t *testing.T) {
				if how == hang.Hang && os.Getenv("PROMPT64_LONG") == "" {
					t.Skip("seconds of waiting: only with PROMPT64_LONG=1")
				}
				r := r.in(t)
				victim, other := r.tcp, r.serial
				if serial {
					victim, other = other, victim
				}
				hang.Set(name, how)
				_ = victim.Heartbeat(r.ctx) // the next to come by is the victim
				eventually(t, "the trap to close", func() bool { return !hang.Waits(name) })
				r.talks(other)
				r.talks(victim)
				if words := r.faults.words(); how != hang.Hang && !strings.Contains(words, name) {
					t.Errorf("what it survived: %q", words)
				}
			})
		}
	}
	if problems := r.state().Problems; !strings.Contains(strings.Join(problems, "\n"), "survived a fault in") {
		t.Errorf("the pages tell of %q", problems)
	}
}

// A fault in a turn of the agent ends the turn in words that the C64 shows, and its next
// prompt has the agent again, in the same lease. Nobody else notices.
func TestTurnThatBreaksEndsInWordsAsOneThatHangs(t *testing.T) {
	r := newRigged(t)
	for _, how := range []hang.How{hang.Panic, hang.Vanish} {
		connects := []int{r.tcp.Stats().Connects, r.serial.Stats().Connects}
		hang.Set("demo turn", how)
		turn, err := r.tcp.Turn(r.ctx, "/stream 20")
		if err != nil {
			t.Fatal(err)
		}
		if turn.Kind != framestest.Failed || turn.Text != provider.WordsBroke {
			t.Errorf("%s: the turn ends with %+v", how, turn)
		}
		r.talks(r.serial)
		r.talks(r.tcp)
		if now := []int{r.tcp.Stats().Connects, r.serial.Stats().Connects}; !slices.Equal(now, connects) {
			t.Errorf("%s: the C64s connected %d times, after %d", how, now, connects)
		}
		rows := strings.Join(r.statusRows("127.0.0.1"), "\n")
		if !strings.Contains(rows, "SURVIVED: fault in demo turn") {
			t.Errorf("%s: STATUS is %q", how, rows)
		}
	}
}

// A lease's goroutine fails in each way: the lease is given up, and its session can be
// taken up in another one. No other notices, and guard has nothing to do.
func TestLeaseThatHangsIsGivenUpAndHoldsUpNoOther(t *testing.T) {
	r := newRigged(t)
	before := []int{r.tcp.Stats().Connects, r.serial.Stats().Connects}
	for _, how := range ways {
		r.losesOne(how)
	}
	if now := []int{r.tcp.Stats().Connects, r.serial.Stats().Connects}; now[0] != before[0] || now[1] != before[1] {
		t.Errorf("the other C64s connected %d times, after %d", now, before)
	}
	for _, s := range r.tree.States() {
		if s.Restarts > 0 {
			t.Errorf("a part was started again: %+v", s)
		}
	}
}

// losesOne has the lease of another C64 fail.
func (r *rigged) losesOne(how hang.How) {
	r.t.Helper()
	victim := r.client(r.dial)
	if err := victim.Connect(r.ctx); err != nil {
		r.t.Fatal(err)
	}
	title := fmt.Sprintf("/say lost by %s in %s", how, r.t.Name())
	if _, err := victim.Turn(r.ctx, title); err != nil {
		r.t.Fatal(err)
	}
	leases := r.leases.Snapshot()
	name := fmt.Sprintf("lease %d", leases[len(leases)-1].ID)
	hang.Set(name, how)
	go func() { _ = victim.Heartbeat(r.ctx) }()
	eventually(r.t, "the trap to close", func() bool { return !hang.Waits(name) })
	if status := r.healthz(); status != http.StatusOK {
		r.t.Errorf("guard hears of %d", status)
	}
	r.turn.Lock()
	r.talks(r.tcp)
	r.turn.Unlock()
	var told *framestest.Refused
	eventually(r.t, "the C64 whose lease was lost to be told", func() bool { return errors.As(victim.WaitAttached(r.ctx), &told) })
	if told.Text != frames.ErrorLeaseExpired {
		r.t.Errorf("it is told %q", told.Text)
	}
	if status := r.healthz(); status != http.StatusOK {
		r.t.Errorf("guard hears of %d in the end", status)
	}
	r.resumes(victim, title)
}

// resumes takes a session up in a lease of its own.
func (r *rigged) resumes(c *framestest.Client, title string) {
	r.t.Helper()
	if err := c.Connect(r.ctx); err != nil {
		r.t.Fatal(err)
	}
	sessions, err := c.Sessions(r.ctx)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, s := range sessions {
		if !strings.HasPrefix(title, strings.TrimSuffix(s.Title, "...")) {
			continue
		}
		if _, err := c.Select(r.ctx, s.Index); err != nil {
			r.t.Error(err)
		}
		if _, err := c.Turn(r.ctx, "/say found"); err != nil {
			r.t.Error(err)
		}
		if err := c.Release(r.ctx); err != nil {
			r.t.Error(err)
		}
		return
	}
	r.t.Errorf("the session %q is not in the list %+v", title, sessions)
}

// What cannot be mended from inside is told at the health address, where guard hears
// of it.
func TestTableOfLeasesThatHangsIsToldToTheGuard(t *testing.T) {
	r := newRigged(t)
	hang.Set("lease table", hang.Hang)
	eventually(t, "the health address to fail", func() bool { return r.healthz() == http.StatusServiceUnavailable })
	if hang.Waits("lease table") {
		t.Error("the trap is empty")
	}
}
