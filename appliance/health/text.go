package health

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// JSON returns the report, indented, with its worst state.
func (r Report) JSON() ([]byte, error) {
	if r.Nodes == nil {
		r.Nodes = []Node{}
	}
	out, err := json.MarshalIndent(struct {
		Worst State `json:"worst"`
		Report
	}{r.Worst(), r}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("health: encode the report: %w", err)
	}
	return append(out, '\n'), nil
}

// Text returns the report as a picture of the tree. Each node stands beneath the
// last of its needs; its hint follows on a line of its own, for who has a command line.
func (r Report) Text() string {
	p := picture{report: r, children: map[string][]Node{}}
	for _, n := range r.Nodes {
		parent := r.parent(n)
		p.children[parent] = append(p.children[parent], n)
	}
	p.measure("", 0)
	p.draw("", "", true)
	return p.out.String()
}

// parent is the node that n is drawn beneath: the need that stands last in the
// report. Needs of a circle that would put n beneath itself do not count.
func (r Report) parent(n Node) string {
	parent := ""
	for _, m := range r.Nodes {
		if m.ID == n.ID {
			break
		}
		for _, need := range n.Needs {
			if need == m.ID {
				parent = m.ID
			}
		}
	}
	return parent
}

// picture is a tree that is being drawn.
type picture struct {
	report   Report
	children map[string][]Node
	width    int // of the names with their branches
	out      strings.Builder
}

func (p *picture) measure(parent string, depth int) {
	for _, n := range p.children[parent] {
		p.width = max(p.width, 3*depth+utf8.RuneCountInString(n.Name))
		p.measure(n.ID, depth+1)
	}
}

func (p *picture) draw(parent, trunk string, top bool) {
	nodes := p.children[parent]
	for i, n := range nodes {
		branch, below := trunk+"├─ ", trunk+"│  "
		if i == len(nodes)-1 {
			branch, below = trunk+"└─ ", trunk+"   "
		}
		if top {
			branch, below = "", ""
		}
		p.line(branch+n.Name, fmt.Sprintf("%-7s  %s", n.State, n.Detail))
		hint := n.Hint
		if n.Shell != "" {
			hint = n.Shell
		}
		if hint != "" {
			stem := below
			if len(p.children[n.ID]) > 0 {
				stem += "│"
			}
			p.line(stem, "         -> "+hint)
		}
		p.draw(n.ID, below, false)
	}
}

func (p *picture) line(left, right string) {
	pad := max(0, p.width-utf8.RuneCountInString(left))
	p.out.WriteString(strings.TrimRight(left+strings.Repeat(" ", pad)+"  "+right, " "))
	p.out.WriteByte('\n')
}
