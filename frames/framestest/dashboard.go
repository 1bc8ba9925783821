package framestest

import (
	"context"
	"fmt"

	"github.com/prompt64/prompt64/frames"
)

// Texts fetches a tab whose rows are text: STATUS or ACTIONS.
func (c *Client) Texts(ctx context.Context, tab frames.Tab) ([]string, error) {
	rows, err := c.Dashboard(ctx, tab)
	var out []string
	for _, r := range rows {
		out = append(out, string(r.Data))
	}
	return out, err
}

// Act is a row of the ACTIVITY tab.
type Act struct {
	Lifecycle frames.Lifecycle
	Label     string
}

// Activity fetches the ACTIVITY tab.
func (c *Client) Activity(ctx context.Context) ([]Act, error) {
	rows, err := c.Dashboard(ctx, frames.TabActivity)
	var out []Act
	for _, r := range rows {
		var row frames.ActivityRow
		if err := row.Decode(r.Data); err != nil {
			return out, fmt.Errorf("framestest: activity row %d: %w", r.Index, err)
		}
		out = append(out, Act{row.Lifecycle, string(row.Label)})
	}
	return out, err
}

// Change is a row of the CHANGES tab.
type Change struct {
	Index          uint8
	State          byte
	Added, Deleted uint16
	Path           string
}

// Changes fetches the CHANGES tab.
func (c *Client) Changes(ctx context.Context) ([]Change, error) {
	rows, err := c.Dashboard(ctx, frames.TabChanges)
	var out []Change
	for _, r := range rows {
		var row frames.ChangeRow
		if err := row.Decode(r.Data); err != nil {
			return out, fmt.Errorf("framestest: change row %d: %w", r.Index, err)
		}
		out = append(out, Change{r.Index, row.State, row.Added, row.Deleted, string(row.Path)})
	}
	return out, err
}

// Action fetches an action's prompt.
func (c *Client) Action(ctx context.Context, index uint8) (string, error) {
	var text string
	err := c.do(ctx, frames.ActionGet{Index: index}, func(m frames.Message) (bool, bool) {
		a, ok := m.(frames.ActionText)
		text = string(a.Text)
		return ok, ok
	}, nil)
	return text, err
}

// Line is a line of a diff or of an approval's detail.
type Line struct {
	Kind frames.LineKind
	Text string
}

// Diff fetches the diff of a CHANGES row.
func (c *Client) Diff(ctx context.Context, index uint8) ([]Line, error) {
	var lines lineJoiner
	err := c.do(ctx, frames.DiffGet{Index: index}, func(m frames.Message) (bool, bool) {
		switch m := m.(type) {
		case frames.DiffLine:
			lines.add(m.Start, m.Kind, m.Text)
			return false, true
		case frames.DiffDone:
			return true, true
		}
		return false, false
	}, &lines.wrong)
	return lines.lines, err
}

// lineJoiner puts lines together that came in pieces.
type lineJoiner struct {
	lines []Line
	wrong bool
}

func (j *lineJoiner) add(start bool, k frames.LineKind, text []byte) {
	last := len(j.lines) - 1
	if start || last < 0 {
		j.check(start)
		j.lines = append(j.lines, Line{k, string(text)})
		return
	}
	j.check(j.lines[last].Kind == k)
	j.lines[last].Text += string(text)
}

func (j *lineJoiner) check(ok bool) { j.wrong = j.wrong || !ok }
