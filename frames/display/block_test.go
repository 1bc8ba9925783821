package display

import (
	"strings"
	"testing"
)

func TestBlocksReadWithoutTheirMarks(t *testing.T) {
	checkMarkdown(t, []markdownCase{
		{"headings", "# One\n## Two ##\n###### Six\n####### seven", "One\nTwo\nSix\n####### seven"},
		{"no heading", "#hashtag\nC # and F#\n# C#\n", "#hashtag\nC # and F#\nC#\n"},
		{"empty heading", "#\n## ##\nx", "\n\nx"},
		{"underlined", "Title\n=====\ntext\n-----\nmore", "Title\ntext\nmore"},
		{"no underline", "\n===\na\n= b\n--\n", "\n===\na\n= b\n--\n"},
		{"rules", "a\n\n---\n* * *\n___\nb", "a\n\n" + rule + "\n" + rule + "\n" + rule + "\nb"},
		{"bullets stay", "- a\n* b\n+ c\n  - d *e*\n", "- a\n* b\n+ c\n  - d e\n"},
		{"no bullet", "-a\n+1\n*b*\n--flag\n-", "-a\n+1\nb\n--flag\n-"},
		{"empty item", "- \n-\n- a", "- \n-\n- a"},
		{"numbers stay", "1. a\n2) **b**\n10. c\n2024 was\n3.14 is", "1. a\n2) b\n10. c\n2024 was\n3.14 is"},
		{"heading in an item", "- # a\n1. ## b", "- a\n1. b"},
		{"nested on a line", "- - 1. **a**", "- - 1. a"},
		{"quote", "> a *b*\n> c\n>\n> > d\n\ne", "> a b\n> c\n>\n> > d\n\ne"},
		{"list in a quote", "> - a\n>   - **b**\n> 1. c", "> - a\n>   - b\n> 1. c"},
		{"heading in a quote", "> # a", "> a"},
		{"comparison is no quote", "a\nb > c", "a\nb > c"},
		{"indented code", "a\n\n    x *y* _z_\n\n    # w\n\nb *c*", "a\n\n    x *y* _z_\n\n    # w\n\nb c"},
		{"indented paragraph is no code", "a\n    b *c*", "a\n    b c"},
		{"paragraph in an item is no code", "1. a\n\n    b *c*\n", "1. a\n\n    b c\n"},
		{"code in an item", "- a\n\n      b *c*\n- d *e*", "- a\n\n      b *c*\n- d e"},
		{"hard breaks", "a  \nb\\\nc", "a  \nb\nc"},
		{"blank lines stay", "a\n\n\nb\n   \nc", "a\n\n\nb\n\nc"},
		{"alert", "> [!NOTE]\n> Mind.", "> [!NOTE]\n> Mind."},
		{"endless prefixes", strings.Repeat(" ", 200) + "*a*\n\n" + strings.Repeat(">", 200) + "*b*", strings.Repeat(" ", 200) + "a\n\n" + strings.Repeat(">", 200) + "b"},
		{"endless marks", strings.Repeat("- ", 100) + "*a*\n" + strings.Repeat("-", 300) + "\n", strings.Repeat("- ", 100) + "a\n" + strings.Repeat("-", 300) + "\n"},
		{"endless space in a heading", "# a" + strings.Repeat(" ", 200) + "# *b*\nc", "a" + strings.Repeat(" ", 200) + "# b\nc"},
		{"list of a quote ends with it", "> - a\n\n    *b*", "> - a\n\n    *b*"},
		{"quotes apart are two", "> - a\n\n>     *b*", "> - a\n\n>     *b*"},
		{"rule after a quote", "> a\n---\nb", "> a\n" + rule + "\nb"},
		{"ten digits are no item", "1234567890. a\n\n            *b*", "1234567890. a\n\n            *b*"},
		{"far text in an item", "-        a\n\n    *b*", "-        a\n\n    b"},
		{"tab after a bullet", "-\ta *b*", "-   a b"},
	})
}

func TestFenceBecomesIndentedBlock(t *testing.T) {
	checkMarkdown(t, []markdownCase{
		{"fence", "a\n```go\nx := *y // _z_\n\n\tif a {\n```\nb *c*", "a\n    x := *y // _z_\n\n        if a {\nb c"},
		{"tildes", "~~~\n```\n~~~\n*a*", "    ```\na"},
		{"longer end", "```\na\n`````  \n*b*", "    a\nb"},
		{"longer fence", "````md\n```\nx\n```\n````\n*b*", "    ```\n    x\n    ```\nb"},
		{"end of text", "```\na\n```", "    a\n"},
		{"unclosed", "```\n**a**", "    **a**"},
		{"not the end", "```\n``` x\n``\n```", "    ``` x\n    ``\n"},
		{"end too far in", "```\n      ```\n*a*", "          ```\n    *a*"},
		{"one line", "```code``` here", "code here"},
		{"two marks", "``a``", "a"},
		{"indented", "  ```\n  a\n    b\n ```\nc", "    a\n      b\nc"},
		{"in an item", "1. do\n   ```sh\n   ls *\n     x\n   ```\n2. *b*", "1. do\n    ls *\n      x\n2. b"},
		{"as an item", "- ```\n  a\n  ```\n- *b*", "- \n    a\n- b"},
		{"in a quote", "> ```go\n> *a*\n>\n>   b\n> ```\n> *c*", ">     *a*\n>\n>       b\n> c"},
		{"ended by its quote", "> ```\n> a\n*b*", ">     a\nb"},
		{"ends a paragraph", "*a\n```\nb*\n```\n", "*a\n    b*\n"},
		{"marks of lists in it", "```\n- a\n# b\n> c\n| d |\n|---|\n1. e\n---\n```", "    - a\n    # b\n    > c\n    | d |\n    |---|\n    1. e\n    ---\n"},
		{"html in it", "```\n&lt; <br> \\*\n```\n", "    &lt; <br> \\*\n"},
	})
}

func TestTableBecomesOneLineACell(t *testing.T) {
	checkMarkdown(t, []markdownCase{
		{"table", "| Name | Size |\n|------|-----:|\n| a.go | 12 |\n| b.go | 7 |\n\nend", "Name: a.go\nSize: 12\nName: b.go\nSize: 7\n\nend"},
		{"end of text", "|a|b|\n|-|-|\n|1|2|", "a: 1\nb: 2\n"},
		{"marks in cells", "| **a** | `b` |\n|:-:|---|\n| *x* | [y](z) |\n", "a: x\nb: y\n"},
		{"bar in a cell", "| a |\n|---|\n| `x \\| y` \\d |\n", "a: x | y \\d\n"},
		{"empty and missing cells", "| a | b | c |\n|---|---|---|\n| 1 |  | 3 | 4 |\n| 5 |\n", "a: 1\nb:\nc: 3\n4\na: 5\n"},
		{"no label", "| | b |\n|---|---|\n| x | y |\n", "x\nb: y\n"},
		{"without outer bars", "a | b\n--- | ---\n1 | 2\n*3* | 4\n\nx", "a | b\na: 1\nb: 2\na: 3\nb: 4\n\nx"},
		{"aligned without outer bars", "a | b\n:-: | ---\n1 | 2\n", "a | b\na: 1\nb: 2\n"},
		{"no table", "| a | b |\nc *d*", "| a | b |\nc d"},
		{"other count", "| a | b |\n|---|\nc", "| a | b |\n|---|\nc"},
		{"two heads", "| a |\n| b |\n|---|\n| c |\n", "| a |\nb: c\n"},
		{"only a head", "| a | b |\n|---|---|\n\nc", "a:\nb:\n\nc"},
		{"only a head at the end", "| a | b |\n|---|---|", "a:\nb:\n"},
		{"ended by text", "| a |\n|---|\n| b |\nc *d*", "a: b\nc d"},
		{"ended by a heading", "| a |\n|---|\n| b |\n# c", "a: b\nc"},
		{"break in a cell", "| a |\n|---|\n| b<br>c |\n", "a: b c\n"},
		{"open marks end with the cell", "| a | b |\n|---|---|\n| *x | y* |\n", "a: *x\nb: y*\n"},
		{"endless head", "|" + strings.Repeat("a", 1100) + " *b*\n|---|\n", "|" + strings.Repeat("a", 1100) + " b\n|---|\n"},
		{"escaped last bar", "| a |\n|---|\n| b \\|\n", "a: b |\n"},
		{"escaped bar in the head", "| a \\| b |\n|---|\n| c |\n", "a | b: c\n"},
		{"indented", "- a\n\n  | b |\n  |---|\n  | c |\n", "- a\n\nb: c\n"},
		{"after a refused one", "| a |\nb\n\nc | d\n--- | ---\n1 | 2\n", "| a |\nb\n\nc | d\nc: 1\nd: 2\n"},
		{"bars in prose", "a | b\nc || d\n", "a | b\nc || d\n"},
		{"refused under bars", "a | b\n- | c | d\n", "a | b\n- | c | d\n"},
		{"refused dashes under bars", "a | b\n-- | c\n--|\n", "a | b\n-- | c\n--|\n"},
	})
}
