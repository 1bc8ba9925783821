package lease

import (
	"fmt"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/workspace"
	"github.com/prompt64/prompt64/frames"
)

// The words for settings, as the C64's own menus have them.
var (
	accessWords    = [...]string{"Read Only", "Ask Me to Approve", "Auto Review"}
	reasoningWords = [...]string{"Off", "Summary", "Detailed", "Developer"}
)

const wordsNoRepository = "no git repository"

// statusTab answers with the STATUS rows. The first seven have fixed places.
func (l *lease) statusTab(r *reply) {
	folder, ctx, addr := l.folder, l.feed.ctx, l.feed.att.link.Addr()
	l.beside(func() {
		sum, err := l.table.cfg.Workspaces.Summary(ctx, folder)
		if err != nil {
			l.slog.Info("summary failed", "err", err)
		}
		extra := l.table.cfg.Status(addr)
		l.post(func() {
			if r.gone {
				return
			}
			settings := l.settings
			rows := append(l.statusRows(sum, err), extra...)
			rows = rows[:min(len(rows), frames.MaxRows)]
			r.fill(entries(frames.TabStatus, len(rows), len(rows), func(dst []byte, i, _ int) []byte {
				return append(dst, head(rows[i], settings, frames.MaxRowData)...)
			}))
		})
	})
}

func (l *lease) statusRows(sum workspace.Summary, err error) []string {
	info := l.table.cfg.Provider.Info()
	folder := l.folder.Rel
	if folder == "" {
		folder = "/"
	}
	rows := []string{
		"PROVIDER: " + join(info.Name, info.Version),
		"WORKSPACE: " + folder,
		"ACCESS: " + accessWords[l.settings.Access],
		"REASONING: " + reasoningWords[l.settings.Reasoning],
		"TURN: " + l.turnState(),
		"BRANCH: " + branchWords(sum, err),
		"CHANGES: " + changeWords(sum, err),
	}
	if u := l.agent.usage; u.Used > 0 {
		rows = append(rows, "CONTEXT: "+usageWords(u))
	}
	return rows
}

func join(name, version string) string {
	if version == "" {
		return name
	}
	return name + " " + version
}

// turnState is the turn in a word.
func (l *lease) turnState() string {
	switch {
	case l.turn == nil:
		return "READY"
	case l.turn.stopping:
		return "CANCELLING"
	case l.line.pending != nil:
		return "WAITING FOR YOU"
	}
	return "WORKING"
}

func branchWords(sum workspace.Summary, err error) string {
	switch {
	case sum.Branch != "":
		return sum.Branch
	case err != nil:
		return err.Error()
	case !sum.Repo:
		return wordsNoRepository
	}
	return "none"
}

func changeWords(sum workspace.Summary, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case !sum.Repo:
		return wordsNoRepository
	}
	files, more := "files", ""
	if sum.Files == 1 {
		files = "file"
	}
	if sum.Cut {
		more = " and more"
	}
	return fmt.Sprintf("%d %s +%d -%d%s", sum.Files, files, sum.Added, sum.Deleted, more)
}

func usageWords(u provider.UsageEvent) string {
	if u.Window <= 0 {
		return fmt.Sprintf("%d tokens", u.Used)
	}
	return fmt.Sprintf("%d%% of %d tokens", u.Used*100/u.Window, u.Window)
}
