package lease

import (
	"errors"

	"github.com/prompt64/prompt64/frames"
)

var errSessionInUse = errors.New(frames.ErrorSessionInUse)

// claim makes l the holder of a provider's session, in the place of the one
// that it held. A detached lease that holds it expires; an attached one
// keeps it. The caller waits for the channel, if there is one, before it opens
// the session: until then its older holder is still closing it.
func (t *Table) claim(l *lease, id string) (<-chan struct{}, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l.removed {
		return nil, ErrClosed
	}
	owner := t.sessions[id]
	if owner == l || owner == nil {
		t.sessions[id] = l
		return nil, nil
	}
	if owner.att != nil && !owner.removed {
		return nil, errSessionInUse
	}
	t.expire(owner)
	t.sessions[id] = l
	return owner.gone, nil
}

// unclaim lets a session go.
func (t *Table) unclaim(l *lease, id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sessions[id] == l {
		delete(t.sessions, id)
	}
}
