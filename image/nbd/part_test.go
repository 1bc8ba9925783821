package nbd

import (
	"errors"
	"os"
	"testing"
)

func TestPowerFailsAfterTheBytesOfAPartOfTheDisk(t *testing.T) {
	part := Part{From: 100, To: 200}
	for name, c := range map[string]struct {
		left  int64
		want  string // what is on the disk from byte 96
		count int64
	}{
		"before the first byte": {0, "abcd", 0},
		"within a write":        {3, "abcdefg", 3},
		"in the next write":     {5, "abcdefghx", 5},
	} {
		d, file := open(t, Fault{After: -1})
		put(t, d, 10, "before it counts")
		d.FailAfter(part, c.left)
		put(t, d, 300, "elsewhere")
		_, err := d.WriteAt([]byte("abcdefgh"), 96)
		if err == nil {
			_, err = d.WriteAt([]byte("xyz"), 104)
		}
		if !errors.Is(err, ErrPower) {
			t.Fatalf("%s: the power did not fail: %v", name, err)
		}
		b, err := os.ReadFile(file)
		must(t, err)
		if got := string(b[96 : 96+len(c.want)+1]); got != c.want+"\x00" {
			t.Errorf("%s: the disk has %q", name, got)
		}
		if d.Counted() != c.count {
			t.Errorf("%s: %d bytes counted", name, d.Counted())
		}
	}
}
