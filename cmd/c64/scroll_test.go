package main_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// window is the transcript's part of the screen.
func window(c *stage.C64) []string {
	s := c.Screen()
	rows := make([]string, 0, 20)
	for r := 1; r <= 20; r++ {
		rows = append(rows, s.Line(r))
	}
	return rows
}

// sameScreen checks that the screen shows the end of the transcript, once what
// is waiting has been painted.
func sameScreen(t *testing.T, c *stage.C64) {
	t.Helper()
	c.Let(200 * time.Millisecond)
	got := strings.TrimRight(strings.Join(window(c), "\n"), "\n")
	if all := c.Paper.Text(); !strings.HasSuffix(all, got) || len(got) == 0 {
		t.Errorf("the screen shows\n%s\nand the transcript ends with\n%s", got, all[max(0, len(all)-len(got)):])
	}
}

func TestAtLeastTwoHundredLinesCanBeScrolledBack(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Connect()
	c.Ask("/stream 20000")
	sameScreen(t, c)
	all := c.Paper.Rows()
	read := window(c)
	for page := 0; ; page++ {
		c.Strike("F7")
		c.Let(200 * time.Millisecond)
		now := window(c)
		if now[0] == read[0] {
			break
		}
		if page > 20 {
			t.Fatal("there is no end to scrolling back")
		}
		at := slices.Index(now, read[0])
		if at < 0 {
			at = len(now) // no line of the page before is left
		}
		read = append(slices.Clone(now[:at]), read...)
	}
	for len(read) > 0 && read[len(read)-1] == "" {
		read = read[:len(read)-1]
	}
	if len(read) < 200 {
		t.Errorf("only %d lines can be read", len(read))
	}
	if diff := cmp.Diff(all[len(all)-len(read):], read); diff != "" {
		t.Errorf("what is read is not the end of the transcript (-want +got):\n%s", diff)
	}
	c.Strike("C=F7")
	c.Let(200 * time.Millisecond)
	if got := strings.TrimSpace(strings.Join(window(c), "\n")); !strings.HasSuffix(got, all[len(all)-1]) {
		t.Errorf("C= and F7 do not go to the end:\n%s", got)
	}
}

func TestTextThatArrivesDoesNotMoveAViewThatIsScrolledBack(t *testing.T) {
	t.Parallel()
	onSomeMachines(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.Ask("/stream 3000")
		b.Gate.Shut()
		c.Keys("/slow 60 100\n")
		c.WaitPaper("delta 1", patience)
		c.Strike("F7", "F7")
		c.Let(200 * time.Millisecond)
		before := window(c)
		if !strings.Contains(c.Status(), "MORE") {
			t.Errorf("nothing says that there is more below: %s", c.Status())
		}
		b.Gate.Open()
		c.WaitPaper("delta 60", patience)
		c.Let(200 * time.Millisecond)
		if diff := cmp.Diff(before, window(c)); diff != "" {
			t.Errorf("the view has moved (-before +after):\n%s", diff)
		}
		c.Strike("F8", "F8", "F8")
		c.Wait("delta 60", time.Second)
		if strings.Contains(c.Status(), "MORE") {
			t.Errorf("at the end: %s", c.Status())
		}
	})
}
