package lease

import (
	"context"
	"slices"
	"time"

	"github.com/prompt64/prompt64/appliance/hang"
	"github.com/prompt64/prompt64/frames"
)

// Info describes a lease for a page or a log, without secrets.
type Info struct {
	ID        int           // counts from 1, names the lease in logs
	Addr      string        // of the attachment; empty while detached
	Attached  bool          // a C64 is connected
	Stale     bool          // but shows no sign of life
	Away      time.Duration // how long it has been detached
	Turn      string        // READY, WORKING, WAITING FOR YOU, CANCELLING or NoAnswer
	Workspace string        // relative to the root
	Session   string        // its title, shaped; empty while it is new
	Settings  Settings      // as the next turn will use them
	Latest    uint16        // last sequence assigned
	Retained  int           // bytes in the log
}

// NoAnswer is the Turn of a lease that does not describe itself in time; nothing but
// what the table knows is in its Info.
const NoAnswer = "NO ANSWER"

// Snapshot describes the leases, oldest first. It does not wait for one that is stuck.
func (t *Table) Snapshot() []Info {
	var leases []*lease
	t.locked(func() {
		hang.Here("lease table")
		leases = slices.Clone(t.leases)
	})
	ctx, cancel := context.WithTimeout(context.Background(), tellTime)
	defer cancel()
	replies := make([]chan Info, len(leases))
	for i, l := range leases {
		replies[i] = make(chan Info, 1)
		select {
		case l.inbox <- message{info: replies[i]}:
		case <-l.stopped:
		case <-ctx.Done():
		}
	}
	infos := make([]Info, 0, len(leases))
	for i, l := range leases {
		select {
		case info := <-replies[i]:
			infos = append(infos, t.completed(l, info))
		case <-l.stopped:
		case <-ctx.Done():
			infos = append(infos, t.completed(l, lateInfo(l, replies[i])))
		}
	}
	return infos
}

// lateInfo is what a lease has said when the time is over.
func lateInfo(l *lease, reply <-chan Info) Info {
	select {
	case info := <-reply: // in time; another one was waited for
		return info
	default:
		return Info{ID: l.id, Turn: NoAnswer}
	}
}

// completed adds what the table knows.
func (t *Table) completed(l *lease, info Info) Info {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l.att == nil {
		info.Away = t.now() - l.left
		return info
	}
	info.Attached, info.Addr, info.Stale = true, l.att.link.Addr(), l.att.link.Stale()
	return info
}

// describe is what the lease knows of itself.
func (l *lease) describe() Info {
	return Info{
		ID:        l.id,
		Turn:      l.turnState(),
		Workspace: l.folder.Rel,
		Session:   string(head(l.agent.title, Settings{}, frames.MaxSessionTitle)),
		Settings:  l.settings,
		Latest:    l.log.last,
		Retained:  l.log.size(),
	}
}
