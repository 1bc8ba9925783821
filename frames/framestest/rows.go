package framestest

import (
	"context"
	"slices"

	"github.com/prompt64/prompt64/frames"
)

// Row is a row of the dashboard.
type Row struct {
	Index uint8
	Data  []byte
}

// Dashboard fetches a tab.
func (c *Client) Dashboard(ctx context.Context, tab frames.Tab) ([]Row, error) {
	var rows []Row
	var wrong bool
	err := c.do(ctx, frames.DashboardGet{Tab: tab}, func(m frames.Message) (bool, bool) {
		switch m := m.(type) {
		case frames.DashboardEntry:
			wrong = wrong || m.Tab != tab
			rows = append(rows, Row{m.Row, slices.Clone(m.Data)})
			return false, true
		case frames.DashboardDone:
			wrong = wrong || m.Tab != tab || int(m.Count) != len(rows)
			return true, true
		}
		return false, false
	}, &wrong)
	return rows, err
}
