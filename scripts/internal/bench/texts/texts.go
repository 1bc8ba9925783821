// Package texts makes what is measured with: prose and Markdown as agents write
// them, the same every time, and cut into pieces as they stream.
package texts

import (
	"fmt"
	"strings"
)

var words = strings.Fields(`a lease stays with the bridge while its owner is away and the turn
	goes on so nothing that was said is lost when somebody pulls the plug the raster
	line does not wait for it every handler returns early unless a frame is complete
	because half of one means nothing yet numbers count upward and wrap around`)

// Prose is n bytes of plain sentences in paragraphs, without anything that
// Markdown or a C64's font would change.
func Prose(n int) string {
	var b strings.Builder
	seed := uint32(64)
	for length := 0; b.Len() < n; {
		seed = seed*1103515245 + 12345
		word := words[int(seed>>16)%len(words)]
		if length == 0 {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		b.WriteString(word)
		length++
		switch {
		case length > 6 && seed>>28 < 3:
			b.WriteString(".\n\n")
			length = 0
		case length > 6 && seed>>28 < 8:
			b.WriteString(". ")
			length = 0
		default:
			b.WriteString(" ")
		}
	}
	return b.String()[:n]
}

// Markdown is n bytes, or a few more, of an answer with everything in it that
// agents like: headings, lists, code, links, tables, emphasis, quotation marks.
func Markdown(n int) string {
	var b strings.Builder
	for i := 1; b.Len() < n; i++ {
		fmt.Fprintf(&b, `## Step %d

The handler **never** released the slot when `+"`Next`"+` returned *early* — see [the docs](https://example.org/frames).

- first “check” the `+"`length`"+`
- then read the payload…

`+"```go"+`
if n > limit {
	return fmt.Errorf("frame of %%d bytes", n)
}
`+"```"+`

| case | before | after |
|------|--------|-------|
| %d | 12 ms | 3 ms |

`, i, i)
	}
	return b.String()
}

// Pieces cuts text into words with the space before them, as deltas come.
func Pieces(text string) []string {
	var out []string
	for len(text) > 0 {
		end := strings.IndexAny(text[1:], " \n") + 1
		if end == 0 {
			end = len(text)
		}
		out = append(out, text[:end])
		text = text[end:]
	}
	return out
}
