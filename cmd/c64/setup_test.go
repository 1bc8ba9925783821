package main_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
	"github.com/prompt64/prompt64/frames"
)

// inSetup connects so slowly that the lease is there and its setup is not over.
func inSetup(c *stage.C64) {
	c.M.UCI().Lag(1500 * time.Millisecond)
	c.Strike("RETURN")
	c.Until("on line", patience, func() bool { return strings.Contains(c.Title(), "ON LINE") })
}

func TestSessionsCanBeAskedForInTheSetupOfALease(t *testing.T) {
	t.Parallel()
	onSomeMachines(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		inSetup(c)
		c.Strike("F5")
		c.Wait("NEW SESSION", patience)
		c.M.UCI().Lag(0)
		c.Until("the list", patience, func() bool { return strings.Contains(c.Title(), "demo") })
		c.Let(2 * time.Second)
		c.Strike("RETURN")
		c.Settled()
		c.Ask("/say chosen")
		if n := c.Dials.Load(); n != 2 {
			t.Errorf("the line was opened %d times", n)
		}
	})
}

// A reset between a fresh lease and the end of its setup: whoever takes the lease
// up must find what was chosen, or an agent would do what it must only ask for.
func TestWhatWasChosenHoldsWhenAResetCutsTheSetup(t *testing.T) {
	t.Parallel()
	onSomeMachines(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		b.Mkdir("deep")
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		readOnly(c)
		workspace(c, "deep")
		c.Strike("STOP", "y")
		c.Wait("RETURN connect", patience)
		inSetup(c)
		c.Reset()
		c.M.UCI().Lag(0)
		c.Strike("RETURN")
		c.Until("the workspace", patience, func() bool { return strings.Contains(c.Title(), "deep") })
		c.Settled()
		c.Ask("/write b.txt two")
		c.WaitPaper("I may not write b.txt: access is read only", patience)
	})
}

// A setting that was changed and not told yet is told after the reset.
func TestSettingThatWasNotToldBeforeAResetIsToldAfterIt(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Connect()
	c.Ask("/say before")
	c.M.UCI().Refuse(true)
	c.Cut(0)
	c.Until("the line is known to be down", patience, func() bool { return !strings.Contains(c.Title(), "ON LINE") })
	readOnly(c)
	c.Reset()
	c.M.UCI().Refuse(false)
	c.Mend()
	c.Strike("RETURN")
	c.Settled()
	c.Let(2 * time.Second)
	c.Ask("/write b.txt two")
	c.WaitPaper("I may not write b.txt: access is read only", patience)
}

// workspace types a path where the folders are listed, and uses it.
func workspace(c *stage.C64, path string) {
	c.Strike("F3")
	for range 7 {
		if c.Screen().Has("RETURN chooses another") {
			break
		}
		c.Strike("DOWN")
		c.Let(100 * time.Millisecond)
	}
	c.Strike("RETURN")
	c.Wait("T type a path", patience)
	c.Strike("t", "CLR")
	c.Keys(path + "\n")
	c.Wait("USE THIS FOLDER", patience)
	c.Let(time.Second)
	c.Strike("RETURN")
	c.Wait("Another workspace", patience)
}

const longPath = "projects/A folder with a long name/and one in it"

func TestTypedPathOpensThatFolder(t *testing.T) {
	t.Parallel()
	onBothStandards(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		b.Mkdir(longPath)
		b.Mkdir("projects/" + strings.Repeat("long", 20))
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.Strike("F3", "DOWN", "DOWN", "DOWN", "DOWN", "DOWN", "RETURN")
		c.Wait("USE THIS FOLDER", patience)
		c.Let(time.Second)
		c.Strike("t")
		c.Keys("/no/such folder/in this workspace")
		c.Portray("workspaces_typing")
		c.Keys("\n")
		c.Wait("no such folder", patience)
		c.Portray("workspaces_error")
		c.Strike("t", "CLR")
		c.Keys("projects/\n")
		c.Wait("longlong", patience)
		c.Let(time.Second)
		c.Portray("workspaces_long")
		c.Strike("t", "DEL", "STOP") // back to the root, where the agent is
		c.Wait("projects", patience)
		c.Let(time.Second)
		c.Strike("t")
		c.Keys(longPath + "\n")
		c.Wait("one folder up", patience)
		c.Let(time.Second)
		c.Strike("RETURN")
		c.Wait("Another workspace", patience)
		c.Settled()
		c.Strike("F3")
		c.Wait("SETTINGS", patience)
		c.Portray("settings_long")
		c.Strike("STOP")
		c.Keys("/run touch here\n")
		c.Accept()
		c.Settled()
		if len(b.Prompts()) != 1 || b.File(longPath+"/here") != "" || !b.Exists(longPath+"/here") {
			t.Error("the agent did not work in that folder")
		}
	})
}

// Bit 2 lets a C64 choose a workspace, bit 9 list the folders.
func TestFoldersAreNotListedWhereTheBridgeCannot(t *testing.T) {
	t.Parallel()
	var asked []frames.Type
	c := stage.Boot(t, stage.Impostor(t, func(w *stage.Wire) {
		w.Expect(frames.TypeHello)
		w.Send(frames.HelloOk{Major: 2, Capabilities: frames.CapLease | frames.CapHeartbeat | frames.CapSessions})
		for {
			m, ok := w.Next()
			if !ok {
				return
			}
			asked = append(asked, m.Type())
			switch m := m.(type) {
			case frames.LeaseGet:
				w.Send(frames.LeaseState{Token: frames.Token{1}, Lifetime: frames.LeaseSeconds})
			case frames.Heartbeat:
				w.Send(frames.HeartbeatAck{})
			case frames.WorkspaceSet:
				w.Send(frames.WorkspaceState{Path: m.Path})
			}
		}
	}), stage.Machine{})
	c.Strike("RETURN")
	c.Settled()
	workspace(c, "by hand")
	c.Until("the workspace", patience, func() bool { return strings.Contains(c.Title(), "by hand") })
	if n := c.Dials.Load(); n != 1 {
		t.Errorf("the line was opened %d times", n)
	}
	if slices.Contains(asked, frames.TypeWorkspaceListGet) {
		t.Error("the folders were asked for")
	}
}

func TestKeysAreNamedAlsoWhereThePromptTakesEveryRow(t *testing.T) {
	t.Parallel()
	onBothStandards(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.Keys("/slow 9 100 ")
		c.Strike("SHIFT+RETURN", "SHIFT+RETURN")
		c.Portray("chat_full")
		b.Gate.Shut()
		c.Keys("\n")
		c.WaitPaper("delta 1", patience)
		c.Keys("one")
		c.Strike("SHIFT+RETURN", "SHIFT+RETURN")
		c.Wait("STALLED 9S", patience)
		if got := c.Status(); !strings.Contains(got, "RETURN send") || !strings.Contains(got, "STOP cancel") {
			t.Errorf("in a turn: %q", got)
		}
		c.Strike("DEL")
		c.Let(200 * time.Millisecond)
		if got := c.Status(); strings.Contains(got, "STOP") || !strings.Contains(c.Editor(), "STOP cancel") {
			t.Errorf("with a row free: %q", got)
		}
		b.Gate.Open()
		c.Settled()
	})
}
