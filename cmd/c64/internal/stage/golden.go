package stage

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prompt64/prompt64/c64prg/machine/drive"
)

var update = flag.Bool("update", false, "write the golden screens anew instead of comparing with them")

// Portrait is a whole screen that people can read: its 25 rows, then the colour
// of each character, 0 to f, or g to v where it is reversed, then the border and
// the background. A blank has no colour to see, and shows as a dot.
func Portrait(s *drive.Screen) string {
	const inks, inverse = "0123456789abcdef", "ghijklmnopqrstuv"
	var text, colours strings.Builder
	for r := range drive.Rows {
		text.WriteByte('|')
		colours.WriteByte('|')
		for _, c := range s.Cells[r] {
			text.WriteRune(c.Rune)
			switch {
			case c.Reverse:
				colours.WriteByte(inverse[c.Colour&15])
			case c.Rune == ' ':
				colours.WriteByte('.')
			default:
				colours.WriteByte(inks[c.Colour&15])
			}
		}
		text.WriteString("|\n")
		colours.WriteString("|\n")
	}
	return fmt.Sprintf("%s\n%s\nborder %d paper %d\n", &text, &colours, s.Border, s.Paper)
}

// sitting is how long a screen may take to be what it should: the time in which
// what waits is painted, and the cursor blinks. It is emulated.
const sitting = 1500 * time.Millisecond

// Portray compares the screen with the golden file of a name, whole and in
// colour; the test fails when it never becomes that.
func (c *C64) Portray(name string) {
	c.t.Helper()
	path := filepath.Join("testdata", "screens", name+".txt")
	if *update {
		c.Let(sitting / 2)
		c.must(os.MkdirAll(filepath.Dir(path), 0o755))
		c.must(os.WriteFile(path, []byte(Portrait(c.Screen())), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		c.t.Fatalf("stage: %v; go test -update writes it", err)
	}
	var got string
	for end := c.Now() + sitting; c.Now() < end; {
		if got = Portrait(c.Screen()); got == string(want) {
			return
		}
		c.must(c.RunFrames(1))
		c.look()
	}
	c.t.Errorf("the screen is not %s (-want +got):\n%s", path, cmp.Diff(string(want), got))
}
