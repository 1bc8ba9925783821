package codextest

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestStampsAreReadHoweverTheTextIsCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.Int64Range(1e18, 9e18), 0, 20).Draw(t, "stamps")
		var text strings.Builder
		for _, ns := range want {
			fmt.Fprintf(&text, " %d", ns)
		}
		var got []int64
		open := ""
		for left := text.String(); left != ""; {
			n := rapid.IntRange(1, len(left)).Draw(t, "piece")
			times, rest := Stamps(open + left[:n])
			for _, at := range times {
				got = append(got, at.UnixNano())
			}
			open, left = rest, left[n:]
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || strings.TrimSpace(open) != "" {
			t.Fatalf("%v, left %q, want %v", got, open, want)
		}
	})
}

func TestWordsThatAreNoStampsStay(t *testing.T) {
	if times, rest := Stamps(" 1800000000000000000 READY. You said: something"); len(times) != 1 || rest != "READY. You said: something" {
		t.Errorf("%v, left %q", times, rest)
	}
}
