package minutes

import (
	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/frames"
)

// Joined is Items as they are read afterwards: the pieces of each text are put
// together, and each activity stands once, where it began, with what became of it.
// The page that follows a conversation does the same by itself (static/live.js).
func Joined(said []lease.Said) []Item {
	var items []Item
	turn := 0                 // where the turn begins that goes on
	known := map[string]int{} // where its activities stand
	for _, it := range Items(said) {
		n := len(items)
		at, again := known[it.ID]
		switch {
		case again && it.ID != "":
			items[at] = items[at].become(it)
			continue
		case n > 0 && it.Streams && items[n-1].Kind == it.Kind:
			items[n-1].Text += it.Text
			items[n-1].Next = it.Next
			continue
		case it.Kind == kinds[lease.SaidActivity]:
			known[it.ID] = n
		case it.Kind == kinds[lease.SaidEnd], it.Kind == kinds[lease.SaidPlace]:
			closeAll(items[turn:], it.Closes)
			turn = n + 1
			clear(known)
		}
		items = append(items, it)
	}
	return items
}

// become is an activity after there was more to say of it.
func (it Item) become(later Item) Item {
	if later.Text == "" {
		later.Text = it.Text
	}
	return later
}

// closeAll ends the activities of a turn that was cut short, which says nothing more
// of them.
func closeAll(turn []Item, head string) {
	for i := range turn {
		if head != "" && turn[i].State == states[frames.ActivityStarted] {
			turn[i].Head, turn[i].State = head, states[frames.ActivityFailed]
		}
	}
}
