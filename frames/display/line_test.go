package display

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLineHasNoNewline(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "\n": "", "a\nb": "a b", "\r\n a\r\n\r\nb\n": " a b", "  keep  spaces ": "  keep  spaces ",
		"*not* `markup`": "*not* `markup`", "a\u2028b": "a b", "\xe2\x82": "??",
	} {
		if got := Line(in, Options{}); string(got) != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestFitKeepsTheEndThatMatters(t *testing.T) {
	const path = "appliance/bridge/server.go"
	for _, c := range []struct {
		n          int
		head, tail string
	}{
		{26, path, path}, {99, path, path}, {10, "applian...", "...rver.go"}, {4, "a...", "...o"},
		{3, "app", ".go"}, {1, "a", "o"}, {0, "", ""}, {-1, "", ""},
	} {
		if got := string(FitHead([]byte(path), c.n)); got != c.head {
			t.Errorf("FitHead %d: got %q, want %q", c.n, got, c.head)
		}
		if got := string(FitTail([]byte(path), c.n)); got != c.tail {
			t.Errorf("FitTail %d: got %q, want %q", c.n, got, c.tail)
		}
	}
}

func TestFitLeavesItsArgumentAlone(t *testing.T) {
	b := []byte("abcdefgh")
	_ = append(FitHead(b, 2), 'X')
	FitHead(b, 5)
	FitTail(b, 5)
	if string(b) != "abcdefgh" {
		t.Errorf("argument became %q", b)
	}
}

func TestSplitNeverCutsAWordThatFits(t *testing.T) {
	for _, c := range []struct {
		text string
		max  int
		want string
	}{
		{"one two three", 99, "one two three"}, {"one two three", 8, "one two |three"}, {"one two three", 9, "one two |three"},
		{"one two three", 7, "one two| three"}, {"one\ntwo", 5, "one\n|two"}, {"abcdefghij", 4, "abcd|efgh|ij"},
		{"ab abcdefghij", 4, "ab a|bcde|fghi|j"}, {"ab abcd", 4, "ab |abcd"}, {"      ", 4, "    |  "},
	} {
		var pieces []string
		for head, rest := Split([]byte(c.text), c.max); ; head, rest = Split(rest, c.max) {
			pieces = append(pieces, string(head))
			if len(rest) == 0 {
				break
			}
		}
		if got := strings.Join(pieces, "|"); got != c.want {
			t.Errorf("%q by %d: got %q, want %q", c.text, c.max, got, c.want)
		}
	}
	if head, rest := Split([]byte("abc"), 0); len(head) != 0 || string(rest) != "abc" {
		t.Errorf("max 0: got %q and %q", head, rest)
	}
}

func TestSplitLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(rapid.StringMatching(`([a-z]{1,12}[ \n]{0,2}){0,30}`).Draw(t, "text"))
		limit := rapid.IntRange(1, 20).Draw(t, "max")
		var joined []byte
		for rest := text; len(rest) > 0; {
			var head []byte
			head, rest = Split(rest, limit)
			if len(head) == 0 || len(head) > limit {
				t.Fatalf("head of %d bytes with max %d", len(head), limit)
			}
			if len(rest) > 0 && !breaks(head[len(head)-1]) && !breaks(rest[0]) {
				from := strings.LastIndexAny(string(head), " \n") + 1
				if n := wordLength(append([]byte(string(head[from:])), rest...), limit); n <= limit {
					t.Fatalf("cut a word of %d bytes with max %d", n, limit)
				}
			}
			joined = append(joined, head...)
		}
		if string(joined) != string(text) {
			t.Fatalf("joined %q, want %q", joined, text)
		}
	})
}
