package display

import "testing"

func TestEmphasisPairsAsCommonMarkDoes(t *testing.T) {
	checkMarkdown(t, []markdownCase{
		{"space inside the opening", "a * b*", "a * b*"},
		{"space before the closing", "*a *b", "*a *b"},
		{"both sides open and close", "a*b*c", "abc"},
		{"quoted", `a*"b"*`, `a*"b"*`},
		{"punctuation around", `("*a*")`, `("a")`},
		{"underscore after a word", `a_"b"_c`, `a_"b"_c`},
		{"underscore after punctuation", "-_(a)_.", "-(a)."},
		{"underscores in capitals", "MAX_FRAME_SIZE and __FILE__", "MAX_FRAME_SIZE and FILE"},
		{"mixed marks", "*a_ _b*", "a_ _b"},
		{"crossing", "*a _b* c_", "a _b c_"},
		{"crossing a bracket", "*a [b* c] d", "a [b c] d"},
		{"rule of three", "*a**b**c*", "abc"},
		{"rule of three refuses", "*a**b*", "a**b"},
		{"strong in emphasis", "*a **b** c*", "a b c"},
		{"emphasis in strong", "**a *b***", "a b"},
		{"emphasis first", "***a* b**", "a b"},
		{"four and four", "****a****", "a"},
		{"five and two", "*****a**", "***a"},
		{"nothing between", "** ** and __ __", "** ** and __ __"},
		{"empty", "a ** b **** c", "a ** b **** c"},
		{"escaped closing", `*a\*`, "*a*"},
		{"no-break space", "*\u00a0a*", "* a*"},
		{"wide punctuation", "**「a」**b", `**?a?**b`},
		{"symbols", "*$*a", "*$*a"},
		{"dunder", "call __init__(self)", "call init(self)"},
		{"bullets of code", "`*`, `**` and *a*", "*, ** and a"},
		{"footnote star", "price* (*net)", "price* (*net)"},
		{"backticks of nothing, then marks", "`_a_ b", "`a b"},
		{"two paragraphs", "*a\n\n*b*", "*a\n\nb"},
		{"across lines in an item", "- *a\n  b* c", "- a\n  b c"},
		{"ends with a heading", "*a\n# b*", "*a\nb*"},
	})
}

func TestRunKnowsWhatItCanDo(t *testing.T) {
	for _, c := range []struct {
		before, mark, after rune
		opens, closes       bool
	}{
		{0, '*', 'a', true, false}, {'a', '*', 0, true, true}, {'a', '*', '\n', false, true}, {' ', '*', ' ', false, false},
		{'a', '*', 'b', true, true}, {'a', '_', 'b', false, false}, {'.', '_', 'b', true, false}, {'a', '_', '.', false, true},
		{'(', '_', ')', true, true}, {'a', '*', '"', false, true}, {'"', '*', 'a', true, false}, {'日', '*', '本', true, true},
		{'a', '_', '日', false, false}, {'\u3000', '_', 'b', true, false}, {'«', '*', '»', true, true},
	} {
		if opens, closes := flanks(c.mark, c.before, c.after); opens != c.opens || closes != c.closes {
			t.Errorf("%q %q %q: opens %v closes %v, want %v %v", c.before, c.mark, c.after, opens, closes, c.opens, c.closes)
		}
	}
}
