package lease

import (
	"context"
	"time"

	"github.com/prompt64/prompt64/frames"
)

// feed is what a lease keeps for its current attachment: the queue of replies,
// the cursor in the log, and the writer that waits. Detaching drops it whole.
type feed struct {
	att    *Attachment
	ctx    context.Context // of the slow questions that this connection asked
	cancel context.CancelFunc

	pull    *pull  // the writer, while it waits
	opening []byte // LeaseState or ReconnectState, before anything else
	replies replies
	beats   int // HeartbeatAcks that overtake the replies

	cursor    uint64 // position in the log of the next frame
	unwritten bool   // the frame before the cursor is handed out, not written
	stale     bool   // and it is the last of the turn before, to be dropped then
	replaying bool   // ReconnectDone is to follow the frame before done
	done      uint64
	logTurn   bool // a long reply went out last: the log's frame goes first

	last  []byte // the connection's last frame, nil if there is none yet
	final error  // what Next returns once last is out, nil while it lives
	ended bool   // final was returned

	seen sight
}

// sight is what this connection showed of approvals.
type sight struct {
	handed bool          // the pending request was handed to the writer, or applied before
	at     time.Duration // when it was written
	fresh  bool          // it is handed, not yet written
	ghost  bool          // the one before it went away undecided after it was written here
}

func (l *lease) attach(a *Attachment, how attach) {
	l.endFeed(ErrDetached)
	f := &feed{att: a}
	f.ctx, f.cancel = context.WithCancel(l.ctx)
	l.feed = f
	if how.fresh {
		seconds := uint16(min(l.table.cfg.Lifetime/time.Second, 0xFFFF))
		f.opening = frames.LeaseState{Token: l.token, Lifetime: seconds}.AppendTo(nil)
		return
	}
	f.opening = frames.ReconnectState{Token: l.token, Active: l.turn != nil, Latest: l.log.last}.AppendTo(nil)
	f.cursor = l.log.newer(how.applied)
	f.replaying, f.done = true, l.log.end()
	if p := l.line.pending; p != nil && !frames.Newer(p.seq, how.applied) {
		f.seen.handed = true
	}
	l.slog.Info("lease taken up", "addr", a.link.Addr(), "applied", how.applied, "latest", l.log.last)
}

// endFeed lets go of the current attachment; its writer gets err.
func (l *lease) endFeed(err error) {
	f := l.feed
	if f == nil {
		return
	}
	l.feed = nil
	f.att.brake.release()
	f.cancel()
	if f.pull != nil {
		f.pull.reply <- pulled{f.pull.dst, err}
	}
	f.replies.clear()
}

// weigh tells the reader how many replies wait.
func (f *feed) weigh() {
	if f != nil {
		f.att.brake.weigh(len(f.replies.line) + f.beats)
	}
}

// finish makes frame the connection's last, after which Next returns err.
func (f *feed) finish(frame []byte, err error) {
	if f.final == nil {
		f.last, f.final = frame, err
	}
}

// written notes that the writer came back: what it was given is written.
func (f *feed) written() {
	f.unwritten = false
	if f.stale {
		f.stale = false
		f.att.lease.log.drop(f.cursor)
	}
	if f.seen.fresh {
		f.seen.fresh, f.seen.at = false, f.att.lease.table.now()
	}
}

// firstUnwritten is the position of the first frame that may not be dropped.
func (f *feed) firstUnwritten() uint64 {
	if f.unwritten {
		return f.cursor - 1
	}
	return f.cursor
}
