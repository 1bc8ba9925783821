package display

import (
	"strings"
	"testing"
)

// TestNothingWaitsLongerThanItIsAmbiguous writes pieces, and compares what shows
// after each of them.
func TestNothingWaitsLongerThanItIsAmbiguous(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"words", "The¦ quick¦ fox,¦ ", "The¦ quick¦ fox,¦ "},
		{"one byte at a time", "a¦é¦\xe6¦\x97¦\xa5¦b", "a¦e¦¦¦?¦b"},
		{"a mark that cannot open", "a ¦* ¦b", "a ¦* ¦b"},
		{"underscore in a word", "snake¦_¦case", "snake¦¦_case"},
		{"emphasis", "a **¦b¦** ¦c", "a ¦¦b ¦c"},
		{"refused emphasis", "a *b¦\n\n¦c", "a ¦*b\n\n¦c"},
		{"code span", "see `x¦_y`¦ and", "see ¦¦x_y and"},
		{"link", "see [x¦](http://y¦) and", "see ¦¦x and"},
		{"no link", "a[i¦]¦ = 1", "a¦¦[i] = 1"},
		{"link after text", "x [y](z) ¦w", "x y ¦w"},
		{"heading", "#¦# ¦Title¦ now¦\n", "¦¦Title¦ now¦\n"},
		{"closed heading", "# a ¦##¦\n", "a¦¦\n"},
		{"bullet", "-¦ ¦word", "¦¦- word"},
		{"number", "1¦2¦.¦ word", "1¦2¦.¦ word"},
		{"rule", "--¦-¦\n", "¦¦----------\n"},
		{"fence", "``¦`go¦\n¦x¦\n``¦`\n¦y", "¦¦¦    x¦\n¦¦y"},
		{"code line", "```\nab¦ cd¦*", "    ab¦ cd¦*"},
		{"table", "| a |\n¦|---|\n¦| b¦ c |¦\n", "¦¦a: b¦ c\n¦"},
		{"no table", "| a¦ |\n¦c¦ d", "¦¦| a |\nc¦ d"},
		{"line under a paragraph", "a\n=¦=¦=¦\nb", "a\n¦¦¦b"},
		{"relation", "a <¦b =¦= c", "a ¦<b ¦== c"},
		{"entity", "a &am¦p; b", "a ¦& b"},
		{"escape sequence", "a\x1b¦[3¦1mb", "a¦¦b"},
		{"cr and lf", "a\r¦\nb", "a\n¦b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New(Options{Markdown: true})
			var shown []string
			for _, p := range strings.Split(c.in, "¦") {
				shown = append(shown, string(s.Write(nil, p)))
			}
			if got := strings.Join(shown, "¦"); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}
