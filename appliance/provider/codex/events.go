package codex

import "github.com/prompt64/prompt64/appliance/provider"

// deliver hands a message of the thread to the session's goroutine.
func (s *session) deliver(m *message, sc scope) {
	if s.outlived(m, sc) {
		return
	}
	s.inbox.deliver(m.size(), func() {
		if m.hasID() {
			s.request(m, sc)
		} else {
			s.notification(m, sc)
		}
	})
}

// isItemEvent reports a notification about an item of a turn.
func isItemEvent(method string) bool {
	return len(method) > 5 && method[:5] == "item/"
}

// notification takes what the server tells of the thread. What belongs to a turn
// that is not the current one is late, or somebody else's.
func (s *session) notification(m *message, sc scope) {
	t := s.current()
	switch m.Method {
	case "thread/status/changed":
		s.statusChanged(t, decode[struct{ Status struct{ Type string } }](m.Params).Status.Type)
		return
	case "thread/name/updated":
		s.renamed(decode[struct{ ThreadName string }](m.Params).ThreadName)
		return
	case "turn/started":
		if t != nil && t.sent {
			s.named(t, sc.TurnID)
		}
	}
	if t == nil || !t.sent || (sc.TurnID != "" && sc.TurnID != t.id) {
		return
	}
	if m.Method != "error" {
		s.watcher.progress()
	}
	s.watcher.sign(s)
	if t.ending && m.Method != "item/completed" {
		return
	}
	s.turnEvent(t, m)
}

// turnEvent takes what the server tells of the turn.
func (s *session) turnEvent(t *turn, m *message) {
	switch m.Method {
	case "item/started":
		s.itemStarted(t, decode[itemEvent](m.Params).Item)
	case "item/completed":
		s.itemCompleted(t, decode[itemEvent](m.Params).Item)
	case "item/fileChange/patchUpdated":
		e := decode[patchEvent](m.Params)
		t.setChanges(e.ItemID, e.Changes)
	case "item/agentMessage/delta", "item/plan/delta":
		e := decode[deltaEvent](m.Params)
		s.say(t, e.ItemID, e.Delta)
	case "item/reasoning/summaryTextDelta":
		s.summaryPiece(t, decode[deltaEvent](m.Params))
	case "item/reasoning/textDelta":
		s.rawPiece(t, decode[deltaEvent](m.Params))
	case "turn/plan/updated":
		s.planUpdated(t, decode[planEvent](m.Params).Plan)
	case "thread/tokenUsage/updated":
		s.usage(t, decode[usageEvent](m.Params))
	case "error":
		s.turnFault(t, decode[faultEvent](m.Params))
	case "serverRequest/resolved":
		s.resolved(m.Params)
	case "turn/completed":
		e := decode[completedEvent](m.Params)
		s.completed(t, e.Turn.Status, e.Turn.Error)
	default:
		s.otherEvent(t, m)
	}
}

// otherEvent takes the rarer ones; what nobody knows is no harm.
func (s *session) otherEvent(t *turn, m *message) {
	switch m.Method {
	case "item/autoApprovalReview/started":
		s.reviewStarted(t, decode[reviewEvent](m.Params))
	case "item/autoApprovalReview/completed":
		s.reviewCompleted(t, decode[reviewEvent](m.Params))
	case "warning", "guardianWarning":
		words := decode[struct{ Message string }](m.Params).Message
		s.srv.p.cfg.Logger.Warn("codex warns", "words", words)
		if m.Method == "warning" { // the review tells the other by itself
			s.noteOnce(oneLine(words), true)
		}
	case "model/rerouted":
		e := decode[struct{ ToModel string }](m.Params)
		s.noteOnce("The model is "+e.ToModel+" now", true)
	case "mcpServer/startupStatus/updated":
		e := decode[struct{ Name, Status string }](m.Params)
		if e.Status == "failed" {
			s.noteOnce("The tool server "+e.Name+" did not start", false)
		}
	case methodSkipped:
		s.noteFailed(t, "A message of Codex was too long and was left out")
	}
}

// Shapes of the notifications.
type (
	deltaEvent struct {
		ItemID, Delta string
		SummaryIndex  int
	}
	usageEvent struct {
		TokenUsage struct {
			Last               struct{ TotalTokens int64 }
			ModelContextWindow int64
		}
	}
	faultEvent struct {
		Error     turnError
		WillRetry bool
	}
	completedEvent struct {
		Turn struct {
			Status string
			Error  *turnError
		}
	}
)

// statusChanged learns whether the thread is at work.
func (s *session) statusChanged(t *turn, status string) {
	switch {
	case status == "active" && (t == nil || !t.sent):
		s.setForeign(true)
	case status != "active" && s.foreignTurn():
		s.setForeign(false)
	}
}

// renamed takes a name that somebody gave the thread.
func (s *session) renamed(name string) {
	title := provider.Title(name)
	if title == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.title = title
}

// usage tells how much of the context the last request took.
func (s *session) usage(t *turn, e usageEvent) {
	used, window := max(e.TokenUsage.Last.TotalTokens, 0), max(e.TokenUsage.ModelContextWindow, 0)
	if window > 0 {
		used = min(used, window)
	}
	s.push(t, provider.UsageEvent{Used: used, Window: window})
}

// turnFault takes an error. One that Codex tries to mend is told; the last one
// comes again with the turn's end, and is told there alone.
func (s *session) turnFault(t *turn, e faultEvent) {
	if !e.WillRetry {
		t.lastError = &e.Error
		return
	}
	s.watcher.retrying()
	again, dropped := t.said.drop()
	s.push(t, provider.RetryEvent{Reason: e.Error.retryWords(), Dropped: dropped})
	if again != "" {
		// The messages before the dropped one do not come again by
		// themselves.
		s.push(t, provider.TextEvent{Text: again})
	}
	s.giveUp(t, e.Error.retryWords())
}
