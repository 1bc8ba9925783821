package health

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// lookEvery is how often a Keeper looks by itself.
const lookEvery = 30 * time.Second

// Keeper looks at a tree from time to time, keeps the last report and remembers
// the last trouble. Its methods are safe for concurrent use.
type Keeper struct {
	tree *Tree
	log  *slog.Logger
	pet  func(context.Context) time.Duration

	mu      sync.Mutex
	last    Report
	looked  bool
	trouble Node      // the last one; its State is Unknown if there was none
	over    bool      // and it is over
	at      time.Time // since when it is, or is over
}

// NewKeeper makes a keeper of a tree. pet is called in the loop of Serve, so that a
// supervisor sees that it turns, and says within which time it is to be called
// again; it may be nil.
func NewKeeper(tree *Tree, log *slog.Logger, pet func(context.Context) time.Duration) *Keeper {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if pet == nil {
		pet = func(context.Context) time.Duration { return lookEvery }
	}
	return &Keeper{tree: tree, log: log, pet: pet}
}

// String names the service.
func (k *Keeper) String() string { return "health" }

// Serve looks until ctx is done.
func (k *Keeper) Serve(ctx context.Context) error {
	for ctx.Err() == nil {
		k.pet(ctx)
		next := time.Now().Add(lookEvery)
		k.Look(ctx)
		k.restUntil(ctx, next)
	}
	return nil
}

// restUntil waits for a moment, and is alive meanwhile.
func (k *Keeper) restUntil(ctx context.Context, moment time.Time) {
	for {
		rest := min(k.pet(ctx), time.Until(moment))
		if rest <= 0 {
			return
		}
		timer := time.NewTimer(rest)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}

// Look checks everything now.
func (k *Keeper) Look(ctx context.Context) Report {
	r := k.tree.Run(ctx)
	if ctx.Err() == nil { // else it was cut short, and says little
		k.take(r)
	}
	return r
}

// Last returns the last report; ok is false when there is none yet.
func (k *Keeper) Last() (r Report, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.last, k.looked
}

// take remembers a report and logs what changed.
func (k *Keeper) take(r Report) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, n := range r.Nodes {
		was, _ := k.last.Node(n.ID)
		switch {
		case n.State.troubled() && (n.State != was.State || n.Detail != was.Detail && !was.State.troubled()):
			k.log.Warn("trouble", "at", n.ID, "state", n.State, "detail", n.Detail)
		case n.State == OK && was.State.troubled():
			k.log.Info("trouble is over", "at", n.ID, "detail", n.Detail)
		}
	}
	k.last, k.looked = r, true
	switch n, ok := r.Trouble(); {
	case ok:
		if k.over || k.trouble.ID != n.ID || k.at.IsZero() {
			k.at = time.Now()
		}
		k.trouble, k.over = n, false
	case !k.over && k.trouble.State.troubled():
		k.over, k.at = true, time.Now()
	}
}

// LastTrouble returns the last trouble in a few words: what is wrong now, or what
// was and how long it has been over. It is "none" where there was none.
func (k *Keeper) LastTrouble() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch n := k.trouble; {
	case !n.State.troubled():
		return "none"
	case k.over:
		return fmt.Sprintf("%s, over for %s: %s", n.Name, inWords(time.Since(k.at)), n.Detail)
	default:
		return n.Name + ": " + n.Detail
	}
}

// inWords is a duration as people say it.
func inWords(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "moments"
	case d < time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	}
	return fmt.Sprintf("%d days", d/(24*time.Hour))
}
