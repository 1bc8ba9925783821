package lease

import (
	"slices"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// activities are the rows of the ACTIVITY tab: the newest of the session, oldest
// first. An activity that ends keeps its row.
type activities []activityRow

type activityRow struct {
	id        string // empty: nothing will change it
	lifecycle frames.Lifecycle
	label     []byte
}

func (a *activities) note(id string, state frames.Lifecycle, label []byte) {
	row := activityRow{id, state, label}
	for i := len(*a) - 1; i >= 0 && id != ""; i-- {
		if (*a)[i].id == id {
			(*a)[i] = row
			return
		}
	}
	*a = append(*a, row)
	if extra := len(*a) - frames.MaxActivityRows; extra > 0 {
		*a = slices.Delete(*a, 0, extra)
	}
}

// settle ends what was still at work when its turn was cut short.
func (a activities) settle() {
	for i := range a {
		if a[i].lifecycle == frames.ActivityStarted {
			a[i].lifecycle = frames.ActivityFailed
		}
	}
}

func (l *lease) tellActivity(e provider.ActivityEvent) { l.noteActivity(e.ID, e.Lifecycle, e.Label) }

// noteActivity logs an activity and keeps its row.
func (l *lease) noteActivity(id string, state frames.Lifecycle, label string) {
	shaped := head(label, l.turn.settings, frames.MaxLabel)
	l.activity.note(id, state, shaped)
	l.said.add(Said{Kind: SaidActivity, ID: id, Lifecycle: state, Text: label})
	l.tell(frames.ActivityEvent{Seq: l.log.upcoming(), Lifecycle: state, Label: shaped})
}
