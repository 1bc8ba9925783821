package display

import (
	"strings"
	"testing"
)

// simplify shapes a whole text with Markdown.
func simplify(text string) string {
	s := New(Options{Markdown: true})
	return string(s.Flush(s.Write(nil, text)))
}

type markdownCase struct{ name, in, want string }

func checkMarkdown(t *testing.T, cases []markdownCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := simplify(c.in); got != c.want {
				t.Errorf("source %q\ngot    %q\nwant   %q", c.in, got, c.want)
			}
		})
	}
}

func TestEmphasisMarksGoAndOthersStay(t *testing.T) {
	checkMarkdown(t, []markdownCase{
		{"strong", "a **bold** word", "a bold word"},
		{"emphasis", "an *odd* _word_", "an odd word"},
		{"both", "***x*** and **a *b* c**", "x and a b c"},
		{"underscores", "__x__ and ___y___", "x and y"},
		{"inside a word", "un*frigging*believable", "unfriggingbelievable"},
		{"snake case", "call snake_case_name and _private", "call snake_case_name and _private"},
		{"product", "2 * 3 * 4", "2 * 3 * 4"},
		{"product without spaces once", "2*3", "2*3"},
		{"arguments", "f(*args, **kwargs)", "f(*args, **kwargs)"},
		{"unmatched", "a *b and **c\n\nd*", "a *b and **c\n\nd*"},
		{"unmatched at the end", "**", "**"},
		{"over a line break", "a **b\nc** d", "a b\nc d"},
		{"not over a paragraph", "a **b\n\nc** d", "a **b\n\nc** d"},
		{"not into a list", "a **b\n- c** d", "a **b\n- c** d"},
		{"three and two", "***a** b*", "a b"},
		{"one of three left", "**a* b", "*a b"},
		{"glob", "src/**/*.go and *.md", "src/**/*.go and *.md"},
		{"pointer", "char *p, *q;", "char *p, *q;"},
		{"strike", "~~old~~", "~~old~~"},
		{"too long", "**" + strings.Repeat("a ", 200) + "**", "**" + strings.Repeat("a ", 200) + "**"},
		{"many marks", strings.Repeat("*", 500) + "a", strings.Repeat("*", 500) + "a"},
		{"escaped", `\*a\* \_b\_ \# c\\d \q`, `*a* _b_ # c\d \q`},
		{"in a heading", "## The *main* part ##\n", "The main part\n"},
		{"wide text", "**日本** x", "?? x"},
	})
}

func TestCodeSpanKeepsItsText(t *testing.T) {
	checkMarkdown(t, []markdownCase{
		{"span", "run `go test ./...` now", "run go test ./... now"},
		{"marks in it", "`a *b* _c_ [d](e) &amp; \\x <br>`", "a *b* _c_ [d](e) &amp; \\x <br>"},
		{"double", "``a ` b``", "a ` b"},
		{"padded", "`` `x` `` and ` y ` and `  `", "`x` and y and   "},
		{"binds tighter than emphasis", "*a `b*` c*", "a b* c"},
		{"in emphasis", "**see `x_y`**", "see x_y"},
		{"in link", "[`f()`](f.go)", "f()"},
		{"unmatched", "a ` b *c* d", "a ` b c d"},
		{"unmatched double", "``a *b*` c", "``a b` c"},
		{"over a line break", "`a\nb`", "a b"},
		{"too long", "`" + strings.Repeat("x", 300) + " *a*", "`" + strings.Repeat("x", 300) + " a"},
		{"adjacent", "`a``b`", "a``b"},
		{"at the end", "`a`", "a"},
	})
}

func TestLinksKeepTheirTextAndDropTheAddress(t *testing.T) {
	checkMarkdown(t, []markdownCase{
		{"link", "see [the docs](https://go.dev/doc) now", "see the docs now"},
		{"address is the text", "[https://go.dev](https://go.dev)", "https://go.dev"},
		{"title", `[a](b "c (d)") [e](<f g> 'h')`, "a e"},
		{"titles", `[a](b (c)) [d]( <e\>f> 'g\'' ) [h](\)i)`, "a d h"},
		{"no destination", `[a](<b<c>) [d](e "f" g) [h](<i> j)`, `[a](<b<c>) [d](e "f" g) [h](<i> j)`},
		{"broken over lines", "[a](b\nc)", "[a](b\nc)"},
		{"deep parentheses", "[a](" + strings.Repeat("(", 40) + strings.Repeat(")", 41), "[a](" + strings.Repeat("(", 40) + strings.Repeat(")", 41)},
		{"parentheses", "[a](b_(c)_d)e", "ae"},
		{"emphasis in it", "[**a** *b*](c)", "a b"},
		{"emphasis around it", "**[a](b)**", "a"},
		{"emphasis may not cross it", "*a [b* c](d)", "*a b* c"},
		{"no text", "[](https://go.dev)", "https://go.dev"},
		{"link in a link", "[a [b](c) d](e)", "[a b d](e)"},
		{"no link, then emphasis", "[a *b **c] d** e* f", "[a b c] d e f"},
		{"image", "![a cat](cat.png) and ![](x.png)", "a cat and x.png"},
		{"badge", "[![build](b.svg)](https://ci)", "build"},
		{"no address", "[a] (b) and [c](d e f) g", "[a] (b) and [c](d e f) g"},
		{"index", "m[i][j] = x[0]", "m[i][j] = x[0]"},
		{"call in an index", "t[0](1)", "t0"},
		{"task", "- [ ] a\n- [x] b", "- [ ] a\n- [x] b"},
		{"open", "a [b *c* d", "a [b c d"},
		{"nested open", "[a [b](c)", "[a b"},
		{"marks in the address", "[a](x_*y*_z*) *b*", "a b"},
		{"autolink", "<https://a.b/c_d_e> <me@x.org> <mailto:a@b>", "https://a.b/c_d_e me@x.org mailto:a@b"},
		{"generics", "Vec<String> map<string, int> a<b>c Foo<Bar::Baz> x < y > z", "Vec<String> map<string, int> a<b>c Foo<Bar::Baz> x < y > z"},
		{"bare address", "https://a.b/c_d_e?f=*g", "https://a.b/c_d_e?f=*g"},
		{"break", "a<br>b<br/>c<br />d<bra>", "a\nb\nc\nd<bra>"},
		{"long address", "[a](" + strings.Repeat("x", 900) + ") b", "a b"},
		{"endless address", "[a](" + strings.Repeat("x", 2000), "[a](" + strings.Repeat("x", 2000)},
		{"codex file", "Edited [main.go](/work/repo/main.go:12).", "Edited main.go."},
	})
}

func TestEntitiesAreTextAndNeverMarks(t *testing.T) {
	checkMarkdown(t, []markdownCase{
		{"named", "a &lt;b&gt; &amp; c&nbsp;d &hellip;", "a <b> & c d ..."},
		{"numeric", "&#65;&#x42;&#x1F600;", "AB?"},
		{"never a mark", "&#42;a&#42; &lbrack;b](c)", "*a* [b](c)"},
		{"never a control", "a&#27;[31m&#x81;b&#10;c&#0;", "a [31m b c?"},
		{"unknown", "&foo; &ampx; AT&T R&D & co &;", "&foo; &ampx; AT&T R&D & co &;"},
		{"endless", "&" + strings.Repeat("a", 50) + ";", "&" + strings.Repeat("a", 50) + ";"},
	})
}
