package acp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// realPatience is for agents that take half a minute to start on a busy machine.
const realPatience = 3 * time.Minute

// One conversation and not a test for each promise: opencode starts slowly, and
// the suite runs with an agent that does not.
func TestRealOpencodeKeepsToItsAccess(t *testing.T) {
	r := realOpencode(t)
	p := r.open("")
	p.patience = realPatience
	file := filepath.Join(r.workspace, "new.bas")
	write := "[[write " + file + "]]"

	want(t, p.play("[[say Hello.]]", frames.AccessAsk), `text "Hello."`, "usage 10 of 100000", "end done")

	got := p.play("[[run echo x >> ran]]", frames.AccessAsk, frames.AcceptOnce)
	if !hasLine(got, `ask 0 "Run echo x >> ran"`) || !hasLine(got, `act 1 ok "echo x >> ran"`) {
		t.Errorf("a command: %q", got)
	}
	got = p.play("[[run echo x >> ran]]", frames.AccessAsk, frames.Decline)
	if !hasLine(got, `act 2 failed "echo x >> ran"`) || !hasLine(got, "end done") {
		t.Errorf("a declined command: %q", got)
	}
	got = p.play("[[run echo x >> ran]]", frames.AccessReadOnly)
	if !hasLine(got, `act 3 failed "echo x >> ran"`) || !hasLine(got, "end done") {
		t.Errorf("a command under Read Only: %q", got)
	}
	if ran, _ := os.ReadFile(filepath.Join(r.workspace, "ran")); string(ran) != "x\n" {
		t.Errorf("the command ran as %q, want once", ran)
	}

	got = p.play(write, frames.AccessReadOnly)
	if _, err := os.Stat(file); err == nil {
		t.Errorf("a file was written under Read Only: %q", got)
	}
	got = p.play(write, frames.AccessAsk, frames.AcceptOnce)
	if !hasLine(got, `ask 1 "Edit new.bas"`) || !hasLine(got, `  + 10 PRINT "HELLO"`) {
		t.Errorf("a file: %q", got)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	got = p.play(strings.Replace(write, "new", "auto", 1), frames.AccessAutoReview)
	if !hasLine(got, "end done") {
		t.Errorf("a file in Auto Review: %q", got)
	}

	got = p.play("[[status 401]]", frames.AccessAsk)
	if end := got[len(got)-1]; !strings.HasPrefix(end, "end failed") || !strings.Contains(end, "Unauthorized") {
		t.Errorf("a refused key: %q", got)
	}
	for _, prompt := range []string{"[[hang]]", "[[run sleep 600]]"} {
		p.start(prompt, frames.AccessAsk)
		if got := p.interrupt(); !hasLine(got, "end cancelled") {
			t.Errorf("%s, cancelled: %q", prompt, got)
		}
	}
	p.killAndGoOn(r)
}

// interrupt accepts what the agent asks, and cancels once something happens.
func (p *peer) interrupt() []string {
	p.t.Helper()
	for {
		switch e := p.next().(type) {
		case provider.ApprovalEvent:
			if err := p.s.Decide(p.t.Context(), e.ID, frames.AcceptOnce); err != nil {
				p.t.Fatal(err)
			}
		case provider.ActivityEvent:
			continue
		case provider.TextEvent:
		default:
			p.t.Fatalf("instead of something to cancel came %+v", e)
		}
		if err := p.s.Cancel(p.t.Context()); err != nil {
			p.t.Fatal(err)
		}
		return p.finishUndecided()
	}
}

// killAndGoOn kills the agent, and brings its session back in another one.
func (p *peer) killAndGoOn(r *rig) {
	p.t.Helper()
	a := p.s.(*session).running()
	if err := syscall.Kill(-a.proc.cmd.Process.Pid, syscall.SIGKILL); err != nil {
		p.t.Fatal(err)
	}
	if ev := p.next(); ev != nil {
		p.t.Fatalf("an event came: %+v", ev)
	}
	before := showHistory(p.t, p.s)
	r.again()
	again := r.open(p.s.ID())
	again.patience = realPatience
	want(p.t, endOf(again.play("[[say And on.]]", frames.AccessAsk)), "end done")
	if got := showHistory(p.t, again.s); got != before+fmt.Sprintf("0 %q\n1 %q\n", "[[say And on.]]", "And on.") {
		p.t.Errorf("the history is\n%s", got)
	}
}
