package display

import (
	"strings"
	"testing"
)

// flushed shapes a text with Markdown, and calls Flush at each ¦.
func flushed(text string) string {
	s := New(Options{Markdown: true})
	var got []byte
	for i, piece := range strings.Split(text, "¦") {
		if i > 0 {
			got = s.Flush(got)
		}
		got = s.Write(got, piece)
	}
	return string(s.Flush(got))
}

func TestTextGoesOnAfterFlush(t *testing.T) {
	for _, c := range []markdownCase{
		{"in a word", "snake¦_case¦_name", "snake_case_name"},
		{"in emphasis", "a **b¦ c** d *e*", "a **b c** d e"},
		{"in a code span", "`a *b¦ c*` d", "`a *b c*` d"},
		{"after a code span", "run `ls`¦ now", "run ls now"},
		{"in a link", "[a](b¦c)", "[a](bc)"},
		{"in a fence", "```go\nx *a*¦ *b*\n¦*c*\n```\n*d*", "    x *a* *b*\n    *c*\nd"},
		{"in a fence's language", "```g¦o\nx\n```", "    x\n"},
		{"in a fence's end", "```\nx\n```¦\n*d*", "    x\nd"},
		{"in a fence's longer end", "```\nx\n``¦`\ny", "    x\n    ```\n    y"},
		{"in a fence's indentation", "```\n  ¦  x\n```", "        x\n"},
		{"after a fence's end", "```\nx\n```¦and *d*", "    x\nand d"},
		{"in a heading's marks", "#¦# a", "## a"},
		{"in a heading", "# a *b* #¦ c\nd", "a b # c\nd"},
		{"in a bullet", "-¦ a\n- ¦*b*", "- a\n- b"},
		{"after a rule", "\n---¦\n*a*\n---", "\n" + rule + "\na\n"},
		{"in a rule", "\n---¦---\n*a*", "\n" + rule + "---\na"},
		{"under a heading", "A\n===¦==\n*a*", "A\na"},
		{"text under a heading", "A\n---¦a", "A\na"},
		{"at the start of a line", "*a\n  ¦b*", "*a\n  b*"},
		{"in a quote's mark", ">¦ *a*\n> b", "> a\n> b"},
		{"in a table's head", "| a ¦| b |\n| c |\n", "| a | b |\n| c |\n"},
		{"after a table's head", "| a |\n¦|---|\n| *b* |\n", "| a |\n|---|\n| b |\n"},
		{"in the line under a head", "| a |\n|--¦-|\n| b |\n", "a:\na: b\n"},
		{"in a broken line under a head", "| a | b |\n|--¦-|\n", "| a | b |\n|---|\n"},
		{"in a line without outer bars", "a | b\n--- | ¦---\n", "a | b\n--- | ---\n"},
		{"in a cell", "| a |\n|---|\n| b *c¦ d* |\n| e |\n", "a: b *c d*\na: e\n"},
		{"after a backslash in a cell", "| a |\n|---|\n| b\\¦| c |\n", "a: b\\\nc\n"},
		{"after a backslash", "a\\¦*b*", "a\\b"},
		{"in an entity", "a &am¦p; b", "a &amp; b"},
		{"in a tag", "a <b¦r> b", "a <br> b"},
		{"in a rune", "a \xc3¦\xa9", "a ??"},
		{"in a cluster", "日¦\u0301本", "??"},
		{"before a stroke", "a =¦\u0338 b", "a = b"},
		{"nothing", "¦¦a¦¦", "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := flushed(c.in); got != c.want {
				t.Errorf("source %q\ngot    %q\nwant   %q", c.in, got, c.want)
			}
		})
	}
}

func TestHeldTellsWhetherSomethingWaits(t *testing.T) {
	for in, want := range map[string]bool{
		"": false, "a": false, "a b": false, "é": false, "日": false, "\x1b[3": false, "a\n": false, "1": false, "1. ": false,
		"\xe2\x82": true, "a =": true, "**a": true, "- ": true, "#": true, "`a": true, "[a": true, "|a|\n": true, "  ": true,
		"**a**": true, "**a** ": false, "`a` ": false, "[a](b)": false, "# a": false, "# a ": true, "```\nx": false, "```\n```": true,
	} {
		s := New(Options{Markdown: true})
		s.Write(nil, in)
		if got := s.Held(); got != want {
			t.Errorf("%q: held %v, want %v", in, got, want)
		}
		s.Flush(nil)
		if s.Held() {
			t.Errorf("%q: held after Flush", in)
		}
	}
}

func TestSettleBringsOutWhatIsNotMarkup(t *testing.T) {
	s := New(Options{Markdown: true})
	if got := string(s.Write(nil, "a =")); got != "a " {
		t.Errorf("at once: %q", got)
	}
	if got := string(s.Settle(nil)); got != "=" {
		t.Errorf("settled: %q", got)
	}
	s.Write(nil, " **b")
	if got := string(s.Settle(nil)); got != "" {
		t.Errorf("open markup settled: %q", got)
	}
	if got := string(s.Write(nil, "** c")); got != "b c" {
		t.Errorf("after it: %q", got)
	}
}

func TestResetDropsWhatWasHeld(t *testing.T) {
	for _, f := range fragments {
		s := New(Options{Markdown: true})
		s.Write(nil, "```\n"+f)
		s.Reset()
		s.Write(nil, "| a |\n|---|\n"+f)
		s.Reset()
		s.Write(nil, "a\n**b "+f)
		s.Reset()
		if got := string(s.Flush(s.Write(nil, "# *c*"))); got != "c" || s.Held() {
			t.Errorf("after %q: %q", f, got)
		}
	}
}
