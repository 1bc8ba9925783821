package codex

// reviewEvent tells of Auto Review: a model judges in the user's place.
type reviewEvent struct {
	ReviewID string
	Review   struct{ Status, RiskLevel, Rationale string }
	Action   struct {
		Command string
		Files   []string
	}
}

// reviewStarted shows a review as an activity of its own.
func (s *session) reviewStarted(t *turn, e reviewEvent) {
	what := oneLine(s.shortenPaths(bareCommand(e.Action.Command)))
	if what == "" && len(e.Action.Files) > 0 {
		what = s.relative(e.Action.Files[0])
	}
	o := &openItem{label: oneLine("review: " + what)}
	key := "review " + e.ReviewID // items have other names
	t.items[key] = o
	t.order = append(t.order, key)
	o.activity = s.startActivity(t, o.label)
}

// reviewCompleted shows the verdict; the reason of a denial is what the user
// wants to know.
func (s *session) reviewCompleted(t *turn, e reviewEvent) {
	o := t.items["review "+e.ReviewID]
	if o == nil {
		return
	}
	approved := e.Review.Status == "approved"
	if !approved && e.Review.Status != "" {
		o.label = oneLine("review: " + e.Review.Status + ". " + e.Review.Rationale)
	}
	s.endItem(t, o, approved)
}
