package lease

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

func TestFreshLeaseTellsTokenAndLifetime(t *testing.T) {
	bubble(t, func(r *rig) {
		a, b := r.dial(), r.dial()
		first := single[frames.LeaseState](t, a.take())
		second := single[frames.LeaseState](t, b.take())
		if first.Lifetime != 120 || first.Token != a.att.Token() {
			t.Errorf("LeaseState %+v", first)
		}
		if first.Token == second.Token || first.Token == (frames.Token{}) {
			t.Errorf("tokens %x and %x", first.Token, second.Token)
		}
	})
}

func TestDetachedLeaseLivesForItsLifetimeAndNoLonger(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.cut()
		time.Sleep(120*time.Second - time.Millisecond)
		c = r.back(c, 0)
		c.cut()
		time.Sleep(120*time.Second + time.Millisecond)
		_, err := r.tryBack(c, 0)
		isErr(t, err, ErrExpired)
	})
}

func TestAttachedLeaseNeverExpires(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		time.Sleep(24 * time.Hour)
		c.send(frames.Heartbeat{})
		single[frames.HeartbeatAck](t, c.take())
	})
}

func TestExpiryCancelsTheTurnAndClosesTheSession(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("work")
		s := r.session(1)
		c.cut()
		time.Sleep(121 * time.Second)
		if n := r.agent.Count(providertest.OpClose); n != 1 || s.Active() {
			t.Errorf("%d sessions closed, turn active: %v", n, s.Active())
		}
		if len(r.table.Snapshot()) != 0 {
			t.Error("the lease is still listed")
		}
	})
}

func TestUnknownTokenIsExpired(t *testing.T) {
	bubble(t, func(r *rig) {
		r.dial()
		_, err := r.table.Reconnect(frames.Token{1}, 0, &testLink{})
		isErr(t, err, ErrExpired)
	})
}

// nine makes nine leases, those in busy with a turn.
func nine(r *rig, busy func(i int) bool) []*c64 {
	var all []*c64
	for i := range 9 {
		c := r.from(fmt.Sprint("10.0.1.", i))
		if busy(i) {
			c.prompt("work")
		}
		all = append(all, c)
	}
	return all
}

// survivors says which of the leases can be taken up again.
func survivors(r *rig, all []*c64) string {
	out := ""
	for _, c := range all {
		back, err := r.tryBack(c, 0)
		if err != nil {
			out += "."
			continue
		}
		out += "x"
		back.cut()
	}
	return out
}

func TestNinthDetachedLeaseMakesTheRightOneExpire(t *testing.T) {
	for _, tc := range []struct {
		name, want string
		busy       func(i int) bool
	}{
		{"all idle: the oldest", ".xxxxxxxx", func(int) bool { return false }},
		{"all busy: the oldest", ".xxxxxxxx", func(int) bool { return true }},
		{"the oldest idle one", "xx.xxxxxx", func(i int) bool { return i < 2 }},
		{"the newcomer, if it alone is idle", "xxxxxxxx.", func(i int) bool { return i < 8 }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				all := nine(r, tc.busy)
				for _, c := range all {
					c.cut()
					time.Sleep(time.Second)
				}
				if got := survivors(r, all); got != tc.want {
					t.Errorf("survivors %s, want %s", got, tc.want)
				}
			})
		})
	}
}

func TestFreshLeaseIsGivenWithEightDetached(t *testing.T) {
	bubble(t, func(r *rig) {
		all := nine(r, func(int) bool { return false })
		for _, c := range all[:8] {
			c.cut()
		}
		r.from("10.0.2.1")
		if got := survivors(r, all[:8]); got != "xxxxxxxx" {
			t.Errorf("survivors %s", got)
		}
	})
}

func TestReconnectInTheMomentOfExpiryWinsOrLosesWhole(t *testing.T) {
	bubble(t, func(r *rig) {
		for range 200 {
			c := r.dial()
			c.take()
			c.att.Detach()
			time.Sleep(120*time.Second - time.Nanosecond)
			go time.Sleep(time.Nanosecond) // the timer and the call meet
			time.Sleep(time.Nanosecond)
			back, err := r.tryBack(c, 0)
			if err != nil {
				isErr(t, err, ErrExpired)
				continue
			}
			back.send(frames.Heartbeat{})
			single[frames.HeartbeatAck](t, back.take())
			back.send(frames.SessionRelease{})
		}
	})
}

func TestTimeComesFromTheMonotonicClockAlone(t *testing.T) {
	if now := time.Now(); !strings.Contains(now.String(), "m=") {
		t.Fatal("time.Now has no monotonic reading here")
	}
	// time.Since of a time with a monotonic reading does not see the wall clock.
	// So the package may make such a time once, and must not look at parts of it.
	reads := map[string]int{}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				switch sel.Sel.Name {
				case "Now", "Unix", "UnixNano", "UnixMilli", "Round", "Truncate", "UTC", "Local", "Date", "Until":
					reads[sel.Sel.Name]++
				}
			}
			return true
		})
	}
	if len(reads) != 1 || reads["Now"] != 1 {
		t.Errorf("the clock is read by %v, want one Now", reads)
	}
}

func TestReleaseSentJustBeforeTheCutIsTaken(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		if err := c.push(frames.SessionRelease{}); err != nil {
			t.Fatal(err)
		}
		c.att.Detach()
		synctest.Wait()
		_, err := r.tryBack(c, 0)
		isErr(t, err, ErrExpired)
	})
}
