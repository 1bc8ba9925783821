//go:build hang

package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/hang"
	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/wifi"
)

// onceAtStart is the part that does one thing and rests. It is never replaced while
// it may be at it, so it only panics, and that at its start.
const onceAtStart = "grow"

// proofs has every part. Each prepares something before its part fails, and returns
// what shows that it is back at work.
var proofs = map[string]func(*rigged) (works func()){
	"settings": func(r *rigged) func() {
		return func() {
			for _, code := range []string{"WXYZ6789", rigCode} {
				r.change(func(s *config.Settings) { s.Pairing.Code = config.NewSecret(code) })
				eventually(r.t, "the change to be followed", func() bool { return r.letsIn(code) })
			}
		}
	},
	"leases": func(r *rigged) func() { return func() { r.losesOne(hang.Panic) } },
	"bridge": func(r *rigged) func() {
		return func() {
			if !r.letsIn(rigCode) {
				r.t.Error("no C64 gets a lease")
			}
		}
	},
	"serial": func(r *rigged) func() { return func() { r.talks(r.serial) } },
	"wifi": func(r *rigged) func() {
		eventually(r.t, "the Wi-Fi", func() bool { return r.wifi.Status().State == wifi.Online })
		before := len(r.world.Journal())
		return func() {
			eventually(r.t, "the Wi-Fi to be joined anew", func() bool {
				done := strings.Join(r.world.Journal()[before:], "\n")
				return strings.Contains(done, "join Home") && r.wifi.Status().State == wifi.Online
			})
		}
	},
	"log on disk": func(r *rigged) func() {
		words := "before " + time.Now().String()
		*r.logged = append(*r.logged, words)
		return func() { r.keptLog().Warn(words) }
	},
	"sandbox": func(r *rigged) func() {
		eventually(r.t, "the first try", func() bool { return r.tried.Load() > 0 })
		r.sandbox.mu.Lock()
		defer r.sandbox.mu.Unlock()
		r.sandbox.program = "" // as if there were another one now
		before := r.tried.Load()
		return func() {
			eventually(r.t, "another try", func() bool { return r.tried.Load() > before })
		}
	},
	"health": func(r *rigged) func() {
		report := func() any {
			last, _ := r.health.Last()
			return &last.Nodes[0]
		}
		eventually(r.t, "the first report", func() bool { _, ok := r.health.Last(); return ok })
		before := report()
		return func() {
			eventually(r.t, "another report", func() bool { return report() != before })
		}
	},
	"pages": func(r *rigged) func() {
		return func() {
			if status := r.healthz(); status != http.StatusOK {
				r.t.Errorf("the pages answer %d", status)
			}
		}
	},
	"updates": func(r *rigged) func() {
		return func() {
			err := r.updates.Receive(r.ctx, strings.NewReader("no bundle"), 9, update.Consent{})
			if err == nil || strings.Contains(err.Error(), "not possible at the moment") || strings.Contains(err.Error(), "under way") {
				r.t.Errorf("what is no bundle: %v", err)
			}
		}
	},
	"mdns": func(r *rigged) func() {
		named := func() bool { return r.name.status().Name == "prompt64.local" }
		eventually(r.t, "the name", named)
		before := r.name.responder.Load()
		return func() {
			eventually(r.t, "the name from another responder", func() bool { return r.name.responder.Load() != before && named() })
		}
	},
}

// ways are how each part fails.
var ways = []hang.How{hang.Hang, hang.Panic, hang.Vanish}

// Each part hangs, panics and loses its goroutine in turn. It is back, and does its
// work; nobody's lease notices, but that of the serial line, whose C64 comes back
// to it. Two parts of different halves fail at a time, since most of it is waiting.
func TestEveryPartIsBackAndNoOtherLeaseNotices(t *testing.T) {
	hang.Set("part "+onceAtStart, hang.Panic)
	r := newRigged(t)
	connects := r.tcp.Stats().Connects
	var parts []string
	for _, p := range r.parts() {
		switch {
		case p.Name == onceAtStart:
			if s := r.part(p.Name); s.Running || s.Restarts != 1 || !strings.Contains(s.Trouble, "trap part "+p.Name) {
				t.Errorf("%+v", s)
			}
		case proofs[p.Name] == nil:
			t.Errorf("the part %q is in no table: say what shows that it works", p.Name)
		default:
			parts = append(parts, p.Name)
		}
	}
	if all := len(r.tree.States()); len(parts) != len(proofs) || all != len(parts)+1 {
		t.Errorf("%d parts run, %d of %d in the table are tried", all, len(parts), len(proofs))
	}
	half := len(parts) / 2
	t.Run("halves", func(t *testing.T) {
		for _, half := range [][]string{parts[:half], parts[half:]} {
			t.Run(half[0], func(t *testing.T) {
				t.Parallel()
				for _, part := range half {
					r.in(t).breaks(part)
				}
			})
		}
	})
	if now := r.tcp.Stats().Connects; now != connects {
		t.Errorf("the C64 at the network connected %d times", now)
	}
}

// breaks breaks a part in each way, and checks that it is back.
func (r *rigged) breaks(part string) {
	r.t.Helper()
	for n, how := range ways {
		works := proofs[part](r)
		began := time.Now()
		hang.Set("part "+part, how)
		eventually(r.t, part+" to be started again after "+string(how), func() bool { return r.part(part).Restarts > n })
		back := time.Since(began)
		works()
		r.turn.Lock()
		r.talks(r.tcp)
		r.turn.Unlock()
		r.t.Logf("%s, %s: back after %.1f s, at work after %.1f", part, how, back.Seconds(), time.Since(began).Seconds())
	}
	if s := r.part(part); !s.Running || s.Restarts != len(ways) || s.Left != 1 {
		r.t.Errorf("%+v", s)
	}
}
