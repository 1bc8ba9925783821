package lease

import (
	"github.com/prompt64/prompt64/appliance/workspace"
	"github.com/prompt64/prompt64/frames"
)

// action is a ready-made prompt of the ACTIONS tab. The C64 puts it in the editor,
// where the user may change it before it is sent.
type action struct {
	title  string
	prompt string // at most one frame
	needs  need
}

// need is what a folder must have for an action to make sense.
type need uint8

const (
	needsNothing need = iota
	needsRepository
	needsChanges
)

// actions are ordered by what they need, so that a folder's list is always a
// beginning of this one, and an index means the same action for ever.
var actions = [...]action{
	{"Explain this project", "Explain what this project is, how it is built, and where to begin reading.", needsNothing},
	{"Suggest what to do next", "Look around and suggest the three most useful next steps, with reasons.", needsNothing},
	{"Fix failing tests", "Run the tests, fix what fails, and tell me in short what was wrong.", needsNothing},
	{"Write missing tests", "Find the most important code without tests and write tests for it.", needsNothing},
	{"Look for bugs", "Look for bugs. List the worst first, with file and line. Change nothing.", needsNothing},
	{"Update the README", "Bring the README up to date with what the code does now.", needsNothing},
	{"Sum up recent commits", "Sum up the last ten commits in a few sentences: what changed and why.", needsRepository},
	{"Review my changes", "Review my uncommitted changes. Name bugs first, with file and line.", needsChanges},
	{"Write a commit message", "Write a commit message for my uncommitted changes. Do not commit.", needsChanges},
	{"Commit my changes", "Commit my changes, in several commits if they are several thoughts.", needsChanges},
}

const wordsActions = "ACTIONS: " + wordsTurnActive

// actionsTab lists the actions that make sense here. It is refused during a turn.
func (l *lease) actionsTab() {
	if l.turn != nil {
		l.refuse(wordsActions)
		return
	}
	l.later(func(r *reply) {
		folder, ctx := l.folder, l.feed.ctx
		l.ask(r, "ACTIONS", func() (producer, error) {
			sum, err := l.table.cfg.Workspaces.Summary(ctx, folder)
			if err != nil { // then those remain that need no git
				l.slog.Info("summary failed", "err", err)
				sum = workspace.Summary{}
			}
			n := actionsFor(sum)
			return entries(frames.TabActions, n, n, func(dst []byte, i, _ int) []byte {
				return append(dst, actions[i].title...)
			}), nil
		})
	})
}

// actionsFor counts the actions that make sense.
func actionsFor(sum workspace.Summary) int {
	has := needsNothing
	switch {
	case sum.Repo && sum.Files > 0:
		has = needsChanges
	case sum.Repo:
		has = needsRepository
	}
	n := 0
	for _, a := range actions {
		if a.needs <= has {
			n++
		}
	}
	return n
}

// actionGet answers with an action's prompt.
func (l *lease) actionGet(index uint8) {
	switch {
	case l.turn != nil:
		l.refuse(wordsActions)
	case int(index) >= len(actions):
		l.refuse("NO SUCH ACTION, LIST THEM AGAIN")
	default:
		prompt := []byte(actions[index].prompt)
		l.later(func(r *reply) { r.fill(one(frames.ActionText{Text: prompt}.AppendTo(nil))) })
	}
}
