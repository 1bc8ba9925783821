package drive

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/c64prg/machine/chargen"
)

func TestScreenReadsTextColoursAndReverse(t *testing.T) {
	d := idle(t, Config{})
	show(d, 3, 5, "Hello, [C64] £↑←")
	d.M.Poke(0x0400, 0x81)
	s := d.Screen()
	if got := s.Line(3); got != "     Hello, [C64] £↑←" {
		t.Errorf("line 3 is %q", got)
	}
	if c := s.Cells[0][0]; c.Rune != 'a' || !c.Reverse || c.Colour != 14 || c.Code != 0x81 {
		t.Errorf("cell 0,0 is %+v", c)
	}
	if s.Border != 14 || s.Paper != 6 || s.Blank {
		t.Errorf("border %d, paper %d", s.Border, s.Paper)
	}
}

// TestFontInRAMIsReadByItsLook: whatever the codes are.
func TestFontInRAMIsReadByItsLook(t *testing.T) {
	own := func(code byte) (rune, bool, bool) { return '~', true, code == 9 }
	d := idle(t, Config{Glyphs: own})
	rom := chargen.ROM()
	copyGlyph := func(to int, set chargen.Set, from int) {
		for i := range 8 {
			d.M.Poke(uint16(0x3000+to*8+i), rom[int(set)*2048+from*8+i])
		}
	}
	for i := range 2048 {
		d.M.Poke(uint16(0x3000+i), 0)
	}
	copyGlyph(7, chargen.Lower, 24)     // x
	copyGlyph(8, chargen.Lower, 128+25) // y reversed
	copyGlyph(10, chargen.Graphics, 83) // a heart
	d.M.Poke(0x3000+11*8, 0x99)         // nothing known
	for i, code := range []byte{7, 8, 9, 10, 11} {
		d.M.Poke(uint16(0x400+i), code)
	}
	// The loop is at $0817: make it switch the font once more.
	for i, b := range []byte{0xa9, 0x1c, 0x8d, 0x18, 0xd0, 0x4c, 0x1c, 0x08} {
		d.M.Poke(uint16(0x0817+i), b)
	}
	if err := d.RunFrames(2); err != nil {
		t.Fatal(err)
	}
	s := d.Screen()
	if got := s.Line(0); got != "xy~♥\uFFFD" {
		t.Errorf("line 0 is %q", got)
	}
	if !s.Cells[0][1].Reverse || !s.Cells[0][2].Reverse || s.Cells[0][0].Reverse {
		t.Error("reverse is not told apart")
	}
}

func TestWordsAreFoundAlsoWhereTheyWrap(t *testing.T) {
	d := idle(t, Config{})
	show(d, 0, 0, "a line of words that breaks at a")
	show(d, 1, 0, "blank, and one that breaks hard at the e")
	show(d, 2, 0, "dge")
	s := d.Screen()
	for _, text := range []string{"of words", "at a blank, and", "hard at the edge"} {
		if !s.Has(text) {
			t.Errorf("%q is not found", text)
		}
	}
	if s.Has("nothing like it") {
		t.Error("what is not there is found")
	}
}

func TestWaitTimesOutWithTheScreen(t *testing.T) {
	d := idle(t, Config{})
	show(d, 12, 0, "only this")
	if err := d.WaitText("only this", time.Second); err != nil {
		t.Error(err)
	}
	if err := d.WaitMatch(regexp.MustCompile(`(?m)^only \w+$`), time.Second); err != nil {
		t.Error(err)
	}
	before := d.Now()
	err := d.WaitText("something else", 2*time.Second)
	var te *TimeoutError
	if !errors.As(err, &te) || !strings.Contains(err.Error(), "|only this ") {
		t.Errorf("got %v", err)
	}
	if took := d.Now() - before; took < 2*time.Second || took > 2100*time.Millisecond {
		t.Errorf("it waited %s", took)
	}
	if err := d.WaitGone("only this", time.Second); !errors.As(err, &te) {
		t.Errorf("got %v", err)
	}
}

func TestFailureCarriesTheScreen(t *testing.T) {
	d := idle(t, Config{})
	show(d, 0, 0, "last words")
	d.M.Poke(0x0817, 0x02)
	err := d.Run(time.Second)
	if err == nil || !strings.Contains(err.Error(), "undocumented") || !strings.Contains(err.Error(), "|last words ") {
		t.Errorf("got %v", err)
	}
}

func TestPictureIsSavedWhole(t *testing.T) {
	d := idle(t, Config{})
	path := filepath.Join(t.TempDir(), "a.png")
	if err := d.SavePNG(path); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(b), "\x89PNG") {
		t.Errorf("%v, %d bytes", err, len(b))
	}
	if err := d.SavePNG(filepath.Join(path, "no")); err == nil {
		t.Error("it was saved beneath a file")
	}
}
