package demo

import (
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

// verdict is what became of a wish to do something.
type verdict int

const (
	allowed  verdict = iota
	declined         // by the user
	refused          // by the access mode
)

// permit settles whether an action may be done: not at all in read-only access,
// freely in auto review, and otherwise if the user says so now or said so for
// the session. detail is made only when it is needed.
func (t *turn) permit(kind frames.ApprovalKind, summary string, detail []provider.DetailLine) (verdict, error) {
	switch t.opts.Access {
	case frames.AccessAutoReview:
		return allowed, t.ctx.Err()
	case frames.AccessAsk:
	default:
		return refused, t.ctx.Err()
	}
	id, answer := t.raise(kind)
	if answer == nil {
		return allowed, t.ctx.Err()
	}
	ev := provider.ApprovalEvent{ID: id, Kind: kind, Summary: summary, Detail: detail}
	if err := t.push(ev); err != nil {
		return refused, err
	}
	return t.await(answer)
}

// raise makes an approval pending. There is no channel where the user has
// accepted its kind for the session.
func (t *turn) raise(kind frames.ApprovalKind) (id string, answer <-chan frames.Decision) {
	id = t.s.number("approval")
	t.s.mu.Lock()
	defer t.s.mu.Unlock()
	if t.s.granted[kind] {
		return "", nil
	}
	a := &pendingApproval{kind: kind, answer: make(chan frames.Decision, 1)}
	// A turn that was cancelled has no approvals: Decide must not find one.
	if t.ctx.Err() == nil {
		t.s.pending[id] = a
	}
	return id, a.answer
}

// await waits for the decision. A cancel that came with it wins.
func (t *turn) await(answer <-chan frames.Decision) (verdict, error) {
	select {
	case d := <-answer:
		if err := t.ctx.Err(); err != nil {
			return refused, err
		}
		if d == frames.AcceptOnce || d == frames.AcceptForSession {
			return allowed, nil
		}
		return declined, nil
	case <-t.ctx.Done():
		return refused, t.ctx.Err()
	}
}

// withdraw makes a pending approval go away; false if it was decided before.
func (t *turn) withdraw(id, reason string) bool {
	t.s.mu.Lock()
	_, pending := t.s.pending[id]
	delete(t.s.pending, id)
	t.s.mu.Unlock()
	if pending {
		t.put(provider.ApprovalGoneEvent{ID: id, Reason: reason})
	}
	return pending
}
