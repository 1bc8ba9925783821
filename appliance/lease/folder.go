package lease

import (
	"errors"
	"fmt"

	"github.com/prompt64/prompt64/appliance/workspace"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/display"
)

const wordsTurnActive = "NOT WHILE A TURN IS ACTIVE"

// workspaceSet leaves the session and makes the next one in another folder.
func (l *lease) workspaceSet(path string) {
	if l.turn != nil {
		l.refuse("WORKSPACE: " + wordsTurnActive)
		return
	}
	r := l.later(func(r *reply) {
		l.beside(func() {
			f, err := l.table.cfg.Workspaces.Resolve(display.Unshape([]byte(path)))
			l.post(func() { l.workspaceFound(r, f, err) })
		})
	})
	r.change = true
}

func (l *lease) workspaceFound(r *reply, f workspace.Folder, err error) {
	switch {
	case r.gone:
	case err != nil:
		r.fill(one(errorFrame(nil, words("WORKSPACE", err))))
	case l.turn != nil:
		r.fill(one(errorFrame(nil, "WORKSPACE: "+wordsTurnActive)))
	default:
		l.forgetSession()
		l.folder = f
		l.listed.sessions = nil // they were the other folder's
		l.said.add(Said{Kind: SaidPlace, Text: "workspace " + f.Rel})
		l.slog.Info("workspace chosen", "path", f.Rel)
		path := tail(f.Rel, l.settings, frames.MaxErrorText)
		r.fill(one(frames.WorkspaceState{Path: path}.AppendTo(nil)))
	}
}

// place is where the agent works. It is asked for at every turn: the folder that
// the user chose may have been removed since, or replaced by a link that leads
// out of the root. It may be slow.
func (l *lease) place(chosen workspace.Folder) (abs string, err error) {
	now, err := l.table.cfg.Workspaces.Resolve(chosen.Rel)
	switch {
	case err != nil:
		return "", err
	case chosen.Abs != "" && chosen.Abs != now.Abs:
		return "", errors.New("the workspace leads elsewhere now, choose it again")
	}
	return now.Abs, nil
}

// workspaceList lists the folders in a folder.
func (l *lease) workspaceList(path string) {
	settings := l.settings
	l.later(func(r *reply) {
		l.ask(r, "WORKSPACE LIST", func() (producer, error) {
			entries, err := l.table.cfg.Workspaces.List(display.Unshape([]byte(path)))
			if err != nil {
				return nil, err
			}
			return workspaceRows(entries, settings), nil
		})
	})
}

func workspaceRows(entries []workspace.Entry, s Settings) producer {
	return rows(len(entries), frames.MaxRows, func(dst []byte, i, more int) []byte {
		row := frames.WorkspaceEntry{Index: uint8(i)}
		if more > 0 {
			row.Name = fmt.Appendf(nil, "... %d MORE", more)
		} else {
			row.Git, row.Name = entries[i].Git, workspace.ShownName(entries[i].Name, s.palette())
		}
		return row.AppendTo(dst)
	}, func(dst []byte, count uint8) []byte {
		return frames.WorkspaceListDone{Count: count}.AppendTo(dst)
	})
}

// rows produces a list: n rows, at most limit of them, then one that says how
// many more there are, then the end with the number of rows sent.
func rows(n, limit int, row func(dst []byte, i, more int) []byte, done func(dst []byte, count uint8) []byte) producer {
	sent, shown, ended := 0, min(n, limit), false
	return func(dst []byte) ([]byte, bool) {
		switch {
		case sent < shown:
			dst = row(dst, sent, 0)
			sent++
		case sent == shown && n > shown:
			dst = row(dst, sent, n-shown)
			sent++
		case !ended:
			ended = true
			dst = done(dst, uint8(min(sent, 255)))
		default:
			return dst, false
		}
		return dst, true
	}
}
