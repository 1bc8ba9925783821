package acp

import (
	"context"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// spareTime is how long an agent that was started for a list waits for a session.
const spareTime = 2 * time.Minute

// spare is an agent without a session. One is started when a list is asked for
// and none runs; the next session in its workspace takes it.
type spare struct {
	p *Provider

	mu        sync.Mutex
	closed    bool
	workspace string
	agent     *agent
	starting  chan struct{} // closed when a start is over; nil when none runs
	cancel    context.CancelFunc
	timer     *time.Timer
	work      sync.WaitGroup
}

// await returns an agent for a list, which is started if need be. It is nil if
// there is none in time.
func (sp *spare) await(ctx context.Context, workspace string) *agent {
	sp.mu.Lock()
	switch {
	case sp.closed:
		sp.mu.Unlock()
		return nil
	case sp.agent != nil && !sp.agent.dead():
		defer sp.mu.Unlock()
		return sp.agent
	case sp.starting == nil:
		sp.start(workspace)
	}
	starting := sp.starting
	sp.mu.Unlock()
	select {
	case <-starting:
		sp.mu.Lock()
		defer sp.mu.Unlock()
		return sp.agent
	case <-ctx.Done():
		return nil
	}
}

// start starts an agent. The caller holds mu.
func (sp *spare) start(workspace string) {
	ctx, cancel := context.WithCancel(context.Background())
	starting := make(chan struct{})
	sp.starting, sp.cancel = starting, cancel
	old := sp.agent
	sp.agent = nil
	guarded.In(&sp.work, "spare agent", func() {
		defer cancel()
		if old != nil {
			old.close()
		}
		a, err := sp.p.start(ctx, workspace)
		if err != nil {
			sp.p.cfg.Logger.Warn("the agent did not start for a list", "error", err)
		}
		sp.mu.Lock()
		closed := sp.closed
		if !closed && a != nil {
			sp.agent, sp.workspace = a, workspace
			sp.timer = guarded.AfterFunc(spareTime, "spare agent's time", func() { sp.expire(a) }, nil)
		}
		sp.starting = nil
		close(starting)
		sp.mu.Unlock()
		if closed && a != nil {
			a.close()
		}
	}, func(error) {
		sp.mu.Lock()
		defer sp.mu.Unlock()
		if sp.starting == starting {
			sp.starting = nil
			close(starting)
		}
	})
}

// take hands the agent over to a session; nil if there is none for it.
func (sp *spare) take(workspace string) *agent {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	a := sp.agent
	if a == nil || sp.workspace != workspace || a.dead() {
		return nil
	}
	sp.agent = nil
	sp.timer.Stop()
	return a
}

// expire ends an agent that nobody took.
func (sp *spare) expire(a *agent) {
	sp.mu.Lock()
	mine := sp.agent == a
	if mine {
		sp.agent = nil
		sp.work.Add(1)
	}
	sp.mu.Unlock()
	if mine {
		defer sp.work.Done()
		a.close()
	}
}

// close ends the agent and whatever starts.
func (sp *spare) close() {
	sp.mu.Lock()
	sp.closed = true
	a := sp.agent
	sp.agent = nil
	if sp.timer != nil {
		sp.timer.Stop()
	}
	if sp.cancel != nil {
		sp.cancel()
	}
	sp.mu.Unlock()
	if a != nil {
		a.close()
	}
	sp.work.Wait()
}
