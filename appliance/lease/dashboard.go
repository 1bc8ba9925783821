package lease

import (
	"fmt"

	"github.com/prompt64/prompt64/appliance/workspace"
	"github.com/prompt64/prompt64/frames"
)

// dashboard answers with a tab's rows.
func (l *lease) dashboard(tab frames.Tab) {
	switch tab {
	case frames.TabStatus:
		l.later(l.statusTab)
	case frames.TabActivity:
		l.later(func(r *reply) { r.fill(l.activityTab()) })
	case frames.TabChanges:
		l.later(l.changesTab)
	case frames.TabActions:
		l.actionsTab()
	}
}

// entries produces the rows of a tab; row appends a row's data.
func entries(tab frames.Tab, n, limit int, row func(dst []byte, i, more int) []byte) producer {
	return rows(n, limit, func(dst []byte, i, more int) []byte {
		return frames.DashboardEntry{Tab: tab, Row: uint8(i), Data: row(nil, i, more)}.AppendTo(dst)
	}, func(dst []byte, count uint8) []byte {
		return frames.DashboardDone{Tab: tab, Count: count}.AppendTo(dst)
	})
}

func (l *lease) activityTab() producer {
	rows := append(activities(nil), l.activity...)
	return entries(frames.TabActivity, len(rows), len(rows), func(dst []byte, i, _ int) []byte {
		return frames.ActivityRow{Lifecycle: rows[i].lifecycle, Label: rows[i].label}.AppendTo(dst)
	})
}

// changesTab takes a new snapshot, whose row indexes DiffGet speaks of.
func (l *lease) changesTab(r *reply) {
	folder, ctx := l.folder, l.feed.ctx
	l.beside(func() {
		snap, err := l.table.cfg.Workspaces.Changes(ctx, folder)
		l.post(func() {
			if r.gone {
				return
			}
			if err != nil {
				l.slog.Info("changes failed", "err", err)
				r.fill(one(errorFrame(nil, words("CHANGES", err))))
				return
			}
			l.listed.changes = &snap
			r.fill(changeRows(snap, l.settings))
		})
	})
}

func changeRows(snap Snapshot, s Settings) producer {
	n := len(snap.Rows)
	if snap.Cut && n <= frames.MaxRows {
		n++ // nobody counted them; at least one more
	}
	limit := min(len(snap.Rows), frames.MaxRows)
	return entries(frames.TabChanges, n, limit, func(dst []byte, i, more int) []byte {
		if more > 0 {
			words := fmt.Appendf(nil, "... %d MORE", more)
			if snap.Cut {
				words = []byte("... MORE, NOT COUNTED")
			}
			none := frames.BinaryFile // counts of no file: they are not shown
			return frames.ChangeRow{State: '?', Added: none, Deleted: none, Path: words}.AppendTo(dst)
		}
		c := snap.Rows[i]
		row := frames.ChangeRow{State: c.State, Added: lineCount(c.Added), Deleted: lineCount(c.Deleted)}
		if c.Binary {
			row.Added, row.Deleted = frames.BinaryFile, frames.BinaryFile
		}
		row.Path = tail(c.Path, s, frames.MaxChangePath)
		return row.AppendTo(dst)
	})
}

// lineCount keeps a count apart from the mark of a binary file.
func lineCount(n int) uint16 { return uint16(min(n, int(frames.BinaryFile)-1)) }

// diff answers with the difference of a row of the latest CHANGES.
func (l *lease) diff(index uint8) {
	l.later(func(r *reply) {
		snap := l.listed.changes
		if snap == nil || int(index) >= min(len(snap.Rows), frames.MaxRows) {
			r.fill(one(errorFrame(nil, words("DIFF", workspace.ErrNoRow))))
			return
		}
		ctx, settings := l.feed.ctx, l.settings
		l.ask(r, "DIFF", func() (producer, error) {
			lines, err := snap.Diff(ctx, int(index))
			if err != nil {
				return nil, err
			}
			return diffFrames(lines, settings), nil
		})
	})
}

// absolute is the path of a folder; a fresh lease's is the root.
func (l *lease) absolute(f workspace.Folder) (string, error) {
	if f.Abs != "" {
		return f.Abs, nil
	}
	root, err := l.table.cfg.Workspaces.Resolve("")
	return root.Abs, err
}
