package supervisor

import (
	"context"
	"time"

	"github.com/thejerf/suture/v4"
)

// Service is something that runs until its context is over. To return before
// that, with an error or not, is a failure, and Serve is called again; ErrDone
// alone says that there is nothing more to do.
type Service interface {
	Serve(ctx context.Context) error
}

// ErrDone is returned by a Service that has done all it had to do.
var ErrDone = suture.ErrDoNotRestart

// Func is a Service that is a function.
type Func func(ctx context.Context) error

var _ Service = Func(nil)

// Serve calls f.
func (f Func) Serve(ctx context.Context) error { return f(ctx) }

// Part is one service of a Tree and how it is dealt with. Name and Service are
// required.
type Part struct {
	Name    string
	Service Service
	// Deadline is the longest that the service may go without a call of Pet;
	// zero: it is not watched.
	Deadline time.Duration
	// Patience is how many failures within FailureWindow end the attempts for
	// good; zero: none do.
	Patience int
	// Needed says that the whole program is of no use without this part: when
	// the attempts end, the Tree fails.
	Needed bool
}

// State tells how a part does.
type State struct {
	Name     string
	Running  bool
	GivenUp  bool      // it is not started again
	Restarts int       // how often it was started again
	Left     int       // stuck goroutines that were left behind
	Trouble  string    // why it failed last; empty: it never did
	At       time.Time // when
}
