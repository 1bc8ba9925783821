package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// numbered finds the number in a row of this test's list and diff.
var numbered = regexp.MustCompile(`nr(\d\d)`)

// halfDrawn says what is wrong with the rows of a window in which each numbered
// row follows the one before it, and in which so many are reversed.
func halfDrawn(rows [][40]byte, reversed int) string {
	before, marked := -1, 0
	for _, row := range rows {
		if row[1]&0x80 != 0 {
			marked++
		}
		m := numbered.FindStringSubmatch(barText(row))
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[1])
		if before >= 0 && n != before+1 {
			return fmt.Sprintf("row %d below row %d", n, before)
		}
		before = n
	}
	if marked != reversed {
		return fmt.Sprintf("%d chosen rows", marked)
	}
	return ""
}

// watcher looks at the window of each frame as the VIC-II fetched it.
type watcher struct {
	reversed     int // rows; negative: it does not look
	seen, frames int
	faults       map[string]int
	last         string
}

func (w *watcher) look(c *stage.C64) {
	if w.reversed < 0 {
		return
	}
	w.frames++
	var rows [][40]byte
	text := ""
	for r := 3; r < 21; r++ {
		rows = append(rows, c.M.Fetched(r))
		text += barText(c.M.Fetched(r)) + "\n"
	}
	if text != w.last {
		w.last = text
		w.seen++
	}
	if what := halfDrawn(rows, w.reversed); what != "" {
		w.faults[what]++
	}
}

func TestListsAndDiffsAreNeverSeenHalfDrawn(t *testing.T) {
	t.Parallel()
	onBothStandards(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		repository(t, b.Work)
		var lines strings.Builder
		for i := range 40 {
			fmt.Fprintf(&lines, "line nr%02d\n", i)
			if err := os.WriteFile(filepath.Join(b.Work, fmt.Sprintf("z.nr%02d", i)), []byte("x\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(b.Work, "A.txt"), []byte(lines.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		w := &watcher{reversed: -1, faults: map[string]int{}}
		c.M.EachFrame(func() { w.look(c) })
		scroll := func(reversed int) {
			t.Helper()
			c.Let(time.Second) // until the beam has met what is there
			w.reversed, w.seen = reversed, 0
			for range 25 {
				c.Strike("DOWN")
			}
			c.Strike("F8", "F7", "F8", "UP", "HOME")
			w.reversed = -1
			if w.seen < 10 {
				t.Errorf("only %d pictures were seen", w.seen)
			}
		}
		c.Strike("F1", "RIGHT", "RIGHT")
		c.Wait("nr05", patience)
		scroll(1)
		c.Strike("RETURN")
		c.Wait("nr05", patience)
		c.Wait("N next file", patience)
		scroll(0)
		for what, n := range w.faults {
			t.Errorf("in %d of %d frames: %s", n, w.frames, what)
		}
	})
}
