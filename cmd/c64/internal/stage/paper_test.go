package stage

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
)

// write puts a line into the ring as the program would.
func write(m *machine.Machine, n int, text string) {
	at := ringAt + n%ringLines*lineCols
	for i := range lineCols {
		code := byte(' ')
		if i < len(text) {
			code = text[i]
			if 'a' <= code && code <= 'z' {
				code -= 'a' - 1
			}
		}
		m.Poke(uint16(at+i), code)
	}
}

func TestPaperKeepsLinesThatTheRingHasOverwritten(t *testing.T) {
	m := machine.New(machine.Options{NoUCI: true})
	defer m.Close()
	p := newPaper(m)
	var want []string
	for n := range 3 * ringLines {
		text := fmt.Sprintf("line %d", n)
		if n%5 == 2 {
			text = "" // a blank line
		}
		write(m, n, text)
		want = append(want, text)
		if n%7 == 0 {
			p.look()
		}
	}
	p.look()
	if diff := cmp.Diff(want, p.Rows()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestPaperTakesChangesOfOlderLines(t *testing.T) {
	m := machine.New(machine.Options{NoUCI: true})
	defer m.Close()
	p := newPaper(m)
	write(m, 0, "* work")
	write(m, 1, "more")
	p.look()
	write(m, 0, "+ work")
	p.look()
	if diff := cmp.Diff([]string{"+ work", "more"}, p.Rows()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestStoryShowsATurnAsTheProgramDoes(t *testing.T) {
	got := Story(framestest.Transcript{
		{Kind: framestest.User, Text: "go"},
		{Kind: framestest.Activity, N: uint8(frames.ActivityStarted), Text: "a"},
		{Kind: framestest.Activity, N: uint8(frames.ActivityStarted), Text: "b"},
		{Kind: framestest.Activity, N: uint8(frames.ActivityFailed), Text: "a"},
		{Kind: framestest.Activity, N: uint8(frames.ActivityCompleted), Text: "c"},
		{Kind: framestest.Assistant, Text: "x \x9c 5"},
		{Kind: framestest.Failed, Text: "why"},
	})
	want := "> go\n! a\n* b\n+ c\nx £ 5\n! failed: why"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
