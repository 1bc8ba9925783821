package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// longName is a folder whose name the heading has no room for.
const longName = "a long name of a folder that ends in its point"

func TestRowThatCountsTheRestOfTheFoldersIsNoFolder(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	for i := range 140 {
		if err := os.Mkdir(filepath.Join(b.Work, fmt.Sprintf("folder%03d", i)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(b.Work, longName), 0o755); err != nil {
		t.Fatal(err)
	}
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Connect()
	c.Let(time.Second) // F5 needs a lease that is set up
	c.Strike("F5")
	c.Wait("NEW SESSION", patience)
	c.Let(time.Second)
	c.Strike("W") // also with SHIFT LOCK down
	c.Wait("USE THIS FOLDER", patience)
	c.Let(time.Second)
	c.Strike("F8", "F8", "F8", "F8", "F8", "F8", "F8", "F8")
	c.Wait("... 13 MORE", patience)
	c.Strike("RETURN")
	c.Let(time.Second)
	if s := c.Screen(); strings.TrimSpace(s.Line(1)) != "WORKSPACE /" || !strings.Contains(c.Dump(), "... 13 MORE") {
		t.Errorf("the row was opened:\n%s", c.Dump())
	}
	c.Strike("HOME", "DOWN", "RETURN")
	c.Wait("one folder up", patience)
	if head := c.Screen().Line(1); !strings.Contains(head, "/...") || !strings.HasSuffix(head, longName[len(longName)-20:]) {
		t.Errorf("the heading hides the end of the folder's name: %q", head)
	}
}

// The list has given its memory to the diff, so N asks for it again; what is
// pressed meanwhile counts.
func TestNextFileIsTakenAsOftenAsItIsPressed(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	repository(t, b.Work)
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Connect()
	c.Strike("F1", "LEFT", "LEFT")
	c.Wait("README.md", patience)
	c.Strike("RETURN")
	c.Wait("1 of 4", patience)
	c.Strike("n", "N")
	c.Wait("3 of 4", patience)
	c.Wait("@@", patience)
}

func TestDashboardThatWasLeftOnTheWayToTheNextFileOpensNone(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	repository(t, b.Work)
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Connect()
	c.Strike("F1", "LEFT", "LEFT")
	c.Wait("README.md", patience)
	c.Strike("RETURN")
	c.Wait("1 of 4", patience)
	c.M.UCI().Lag(300 * time.Millisecond)
	c.Strike("n", "RIGHT")
	c.Wait("Explain this project", patience)
	c.Let(time.Second)
	if !strings.Contains(c.Dump(), "[ACTIONS]") {
		t.Errorf("an action was taken that nobody chose:\n%s", c.Dump())
	}
}

func TestSoundKeyTellsWhatItDidOnTheConnectScreen(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Strike("F2")
	c.Wait("SOUND ON", patience) // a stage begins without
	c.Strike("F2")
	c.Wait("SOUND OFF", patience)
	if strings.Contains(c.Dump(), "SOUND ON ") {
		t.Errorf("both are shown:\n%s", c.Dump())
	}
	c.Connect()
}

// An action comes into the editor; what stood there is not lost.
func TestDraftComesBackBehindAChosenAction(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Connect()
	c.Keys("half a thought")
	c.Strike("F1", "LEFT")
	c.Wait("Explain this project", patience)
	c.Strike("RETURN")
	c.Until("the action is in the editor", patience, func() bool {
		return strings.Contains(strings.ToLower(c.Editor()), "explain")
	})
	if strings.Contains(c.Editor(), "half a thought") {
		t.Errorf("the action and the draft are mixed:\n%s", c.Dump())
	}
	c.Strike("CLR", "UP")
	c.Until("the draft is back", patience, func() bool {
		return strings.Contains(c.Editor(), "half a thought")
	})
}
