package display

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The tests here write Markdown for a text that they know, and expect that text.

// line draws text of one line: printable ASCII without the characters in not.
func line(not string) *rapid.Generator[string] {
	var alphabet []rune
	for c := ' '; c < runeDEL; c++ {
		if !strings.ContainsRune(not, c) {
			alphabet = append(alphabet, c)
		}
	}
	return rapid.StringOfN(rapid.SampledFrom(alphabet), 0, 60, -1)
}

func TestCodeInAFenceIsNeverChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(line(""), 1, 8).Draw(t, "lines")
		var want strings.Builder
		for _, l := range lines {
			if strings.HasPrefix(strings.TrimLeft(l, " "), "~~~") {
				t.Skip("the code ends its fence")
			}
			if l != "" {
				want.WriteString("    " + l)
			}
			want.WriteByte('\n')
		}
		text := "~~~go\n" + strings.Join(lines, "\n") + "\n~~~\n"
		if got := simplify(text); got != want.String() {
			t.Fatalf("got  %q\nwant %q", got, want.String())
		}
	})
}

func TestCodeInASpanIsNeverChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		code := line("`").Filter(func(s string) bool { return s != "" }).Draw(t, "code")
		if got, want := simplify("run `` "+code+" `` now"), "run "+code+" now"; got != want && strings.TrimSpace(code) != "" {
			t.Fatalf("got  %q\nwant %q", got, want)
		}
	})
}

func TestEscapedTextIsNeverMarkup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := line("").Draw(t, "text")
		var source strings.Builder
		for _, c := range text {
			if punctuation(c) {
				source.WriteByte('\\')
			}
			source.WriteRune(c)
		}
		if got := simplify("x " + source.String()); got != "x "+text {
			t.Fatalf("source %q\ngot    %q\nwant   %q", source.String(), got, "x "+text)
		}
	})
}

func TestEntityForEachCharacterIsNeverMarkup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := line("").Draw(t, "text")
		var source strings.Builder
		for _, c := range text {
			fmt.Fprintf(&source, "&#%d;", c)
		}
		if got := simplify("x " + source.String()); got != "x "+text {
			t.Fatalf("got  %q\nwant %q", got, "x "+text)
		}
	})
}

func TestTextWithoutMarksIsNotChanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOf(line("*_`~[]<&\\#>|-+=")).Draw(t, "lines")
		for i := range lines {
			lines[i] = "x" + lines[i]
		}
		text := strings.Join(lines, "\n")
		if got := simplify(text); got != text {
			t.Fatalf("got  %q\nwant %q", got, text)
		}
	})
}

func TestNestedMarkupLeavesItsWords(t *testing.T) {
	word := rapid.StringMatching(`[a-z]{1,6}`)
	rapid.Check(t, func(t *rapid.T) {
		var write func(depth int, star bool) (source, plain string)
		write = func(depth int, star bool) (source, plain string) {
			var sources, plains []string
			for range rapid.IntRange(1, 3).Draw(t, "parts") {
				w := word.Draw(t, "word")
				s, p := w, w
				if depth > 0 {
					s, p = write(depth-1, !star)
				}
				mark := "_"
				if star {
					mark = "**"
				}
				switch rapid.IntRange(0, 3).Draw(t, "kind") {
				case 0:
					s = mark + s + mark
				case 1:
					s, p = "`"+w+"*_`", w+"*_"
				case 2:
					s = "![" + s + "](a_(b)*c)"
				}
				sources, plains = append(sources, s), append(plains, p)
			}
			return strings.Join(sources, " "), strings.Join(plains, " ")
		}
		source, want := write(2, true)
		if len(source) > maxHeld {
			t.Skip("more than what is held back")
		}
		if got := simplify("x " + source); got != "x "+want {
			t.Fatalf("source %q\ngot    %q\nwant   %q", source, got, "x "+want)
		}
	})
}

func TestEveryCellOfATableShowsOnce(t *testing.T) {
	cell := rapid.StringMatching(`[a-z][a-z0-9 ]{0,8}[a-z0-9]`)
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.IntRange(1, 5).Draw(t, "columns")
		row := rapid.SliceOfN(cell, columns, columns)
		outer := columns == 1 || rapid.Bool().Draw(t, "outer bars")
		format := func(cells []string) string {
			s := strings.Join(cells, " | ")
			if outer {
				s = "| " + s + " |"
			}
			return s + "\n"
		}
		head := row.Draw(t, "head")
		rows := rapid.SliceOfN(row, 1, 5).Draw(t, "rows")
		source := format(head) + format(strings.Split(strings.Repeat("---,", columns-1)+"---", ","))
		var want strings.Builder
		if !outer {
			want.WriteString(format(head))
		}
		for _, r := range rows {
			source += format(r)
			for i, c := range r {
				want.WriteString(head[i] + ": " + c + "\n")
			}
		}
		if got := simplify(source); got != want.String() {
			t.Fatalf("source %q\ngot    %q\nwant   %q", source, got, want.String())
		}
	})
}
