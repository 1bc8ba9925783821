package lease

import (
	"context"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prompt64/prompt64/appliance/hang"
	"github.com/prompt64/prompt64/appliance/workspace"
	"github.com/prompt64/prompt64/frames"
)

// lease is one C64's hold on a conversation. The fields of the first group never
// change, the table's are guarded by its lock, and all others belong to the
// goroutine of run.
type lease struct {
	table   *Table
	id      int
	token   frames.Token
	slog    *slog.Logger
	name    string // of its goroutine
	inbox   chan message
	quit    chan struct{} // closed: end now, nobody waits for words
	stop    func()        // closes quit
	stopped chan struct{} // closed when the inbox is no longer read
	deafen  func()        // closes stopped
	gone    chan struct{} // closed when the provider's session is closed too
	depart  func()        // closes gone
	ctx     context.Context
	cancel  context.CancelFunc
	jobs    sync.WaitGroup // what runs beside the goroutine

	active  atomic.Bool   // a turn runs; written by the goroutine alone
	turns   atomic.Uint64 // of the goroutine's loop
	ending  atomic.Bool   // the loop is over, and the agent is being closed
	givenUp atomic.Bool   // given up, see lose
	held    heldSessions

	// Guarded by the table's lock.
	att     *Attachment // nil while detached
	left    time.Duration
	expiry  *time.Timer
	removed bool

	// The goroutine's own.
	feed     *feed // nil while detached
	log      retained
	settings Settings
	folder   workspace.Folder
	agent    agent
	turn     *turn // nil while none runs
	line     line
	out      output
	activity activities
	listed   listed
	said     saidLog // from the end of the goroutine on: everybody's, and it does not change
	lookers  []*look // questions of watches that wait
	shownTo  uint64  // position that the lookers were told of
	released bool
	linger   *time.Timer // for the acknowledgement of a release
}

func newLease(t *Table, id int, token frames.Token) *lease {
	l := &lease{
		table:    t,
		id:       id,
		token:    token,
		slog:     t.cfg.Log.With("lease", id),
		name:     "lease " + strconv.Itoa(id),
		inbox:    make(chan message, inboxLength),
		quit:     make(chan struct{}),
		stopped:  make(chan struct{}),
		gone:     make(chan struct{}),
		settings: t.cfg.Defaults(),
		linger:   stoppedTimer(),
	}
	l.stop = sync.OnceFunc(func() { close(l.quit) })
	l.deafen = sync.OnceFunc(func() { close(l.stopped) })
	l.depart = sync.OnceFunc(func() { close(l.gone) })
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.out.timer = stoppedTimer()
	l.agent.killer = stoppedTimer()
	return l
}

// stoppedTimer is a timer that waits for its Reset.
func stoppedTimer() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// run owns the lease until it is released or expires.
func (l *lease) run() {
	l.slog.Info("lease made")
	for !l.over() && !l.givenUp.Load() {
		l.turns.Add(1)
		hang.Here(l.name)
		select {
		case m := <-l.inbox:
			l.receive(m)
		case ev, ok := <-l.agent.events:
			l.event(ev, ok)
		case <-l.out.timer.C:
			l.merged()
		case <-l.agent.killer.C:
			l.kill()
		case <-l.linger.C:
			l.endFeed(ErrReleased)
		case <-l.quit:
			l.slog.Info("lease is over: expired, or the bridge ends", "active", l.turn != nil)
			l.endFeed(ErrDetached)
			l.released = true
		}
		l.serve()
		l.feed.weigh()
		l.showLookers()
	}
	l.end()
}

// over says that nothing is left to do for anybody.
func (l *lease) over() bool {
	return l.released && (l.feed == nil || l.feed.ended)
}

// end gives everything back, the provider's session last.
func (l *lease) end() {
	l.ending.Store(true)
	l.endFeed(ErrDetached)
	l.abandonTurn()
	l.said.closed = true
	l.deafen()
	l.cancel()
	for _, t := range []*time.Timer{l.out.timer, l.agent.killer, l.linger} {
		t.Stop()
	}
	l.leaveSession()
	l.settleJobs()
	l.table.ended(l)
	l.slog.Info("lease ended")
}

// settleJobs waits for what runs beside the lease. What they report may hold a
// session that has to be closed, so it is still taken.
func (l *lease) settleJobs() {
	for {
		l.jobs.Wait()
		select {
		case m := <-l.inbox:
			if m.do != nil {
				m.do()
			}
		default:
			return
		}
	}
}
