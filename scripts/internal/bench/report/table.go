package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Missing is something that could not be measured, and why.
type Missing struct {
	Name string
	Err  error
}

var heads = []string{"what", "median", "", "spread", "ratio", "aim", "", "note"}

// rightward are the columns of numbers.
var rightward = []bool{false, true, false, true, true, false, false, false}

// cells are a row's columns, under heads.
func (r Row) cells() []string {
	c := []string{r.Name, number(r.Value), r.Unit, "", "", "", r.Verdict(), r.Note}
	if !r.Exact {
		c[3] = fmt.Sprintf("%.0f %%", r.Spread*100)
	}
	if r.Ratio != 0 {
		c[4] = number(r.Ratio) + " x " + r.To
	}
	if r.Aim != nil {
		c[5] = r.Aim.String()
	}
	return c
}

// Table writes the rows under their heads, each column as wide as it must be,
// and then what is missing.
func Table(w io.Writer, rows []Row, missing []Missing) error {
	lines := [][]string{heads}
	for _, r := range rows {
		lines = append(lines, r.cells())
	}
	widths := make([]int, len(heads))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for i, line := range lines {
		b.WriteString(aligned(line, widths) + "\n")
		if i == 0 {
			b.WriteString(ruled(widths) + "\n")
		}
	}
	for _, m := range missing {
		fmt.Fprintf(&b, "not measured: %s: %v\n", m.Name, m.Err)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func aligned(cells []string, widths []int) string {
	var b strings.Builder
	for i, cell := range cells {
		gap := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if rightward[i] {
			b.WriteString(gap + cell + "  ")
		} else {
			b.WriteString(cell + gap + "  ")
		}
	}
	return strings.TrimRight(b.String(), " ")
}

func ruled(widths []int) string {
	total := 0
	for _, w := range widths {
		total += w + 2
	}
	return strings.Repeat("-", total-2)
}
