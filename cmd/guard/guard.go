package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync"
	"time"

	"github.com/prompt64/prompt64/appliance/guardlog"
)

// guard looks at the bridge again and again, and acts.
type guard struct {
	sys    system
	every  time.Duration
	grace  time.Duration
	answer time.Duration // for one look
	memory uint64        // bytes; 0: any

	log    guardlog.Log
	failed int           // rounds in a row
	since  time.Duration // uptime at which the bridge had to start
	well   bool          // it was well since
	startWork

	committed bool // this start is no trial any more
}

func newGuard(sys system) *guard {
	return &guard{sys: sys, every: every, grace: grace, answer: answerTime}
}

// watch works until ctx is done. The bridge starts at the same time as guard.
func (g *guard) watch(ctx context.Context) {
	var err error
	if g.log, err = g.sys.Load(); err != nil {
		log.Print(err)
	}
	g.starting()
	if g.sys.Trial() {
		var feeding sync.WaitGroup
		defer feeding.Wait()
		feeding.Go(func() {
			if err := g.sys.Feed(ctx); err != nil {
				log.Print(err)
			}
		})
	}
	tick := time.NewTicker(g.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			g.round(ctx)
		}
	}
}

func (g *guard) starting() { g.failed, g.since, g.well = 0, g.sys.Now().up, false }

// round looks once, and acts if it is time.
func (g *guard) round(ctx context.Context) {
	err := g.look(ctx)
	switch {
	case ctx.Err() != nil:
		return
	case err == nil:
		g.failed, g.well = 0, true
		g.keepTime()
		g.endTrial(ctx, nil)
		return
	case !g.well && g.starts():
		return
	}
	g.failed++
	log.Printf("failure %d of %d: %v", g.failed, failures, err)
	if g.failed >= failures {
		if !g.endTrial(ctx, err) {
			g.act(ctx, err.Error())
		}
		g.starting()
	}
}

// look makes the round trips, side by side, and tells everything that is wrong.
func (g *guard) look(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, g.answer)
	defer cancel()
	looks := []func() error{
		func() error { return wrap("the bridge does not answer", g.sys.Bridge(ctx)) },
		func() error { return wrap("the pages do not answer", g.sys.Pages(ctx)) },
		func() error { return g.tooLarge(ctx) },
	}
	found := make([]error, len(looks))
	done := make(chan struct{})
	for i, look := range looks {
		go func() {
			found[i] = look()
			done <- struct{}{}
		}()
	}
	for range looks {
		<-done
	}
	return errors.Join(found...)
}

func wrap(words string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", words, err)
	}
	return nil
}

// tooLarge says that the bridge holds too much memory. Where that cannot be found
// out, nothing is wrong: the round trips tell whether the bridge is there.
func (g *guard) tooLarge(ctx context.Context) error {
	if g.memory == 0 {
		return nil
	}
	held, err := g.sys.Memory(ctx)
	if err == nil && held > g.memory {
		return fmt.Errorf("the bridge holds %d MiB of memory, more than %d", held>>20, g.memory>>20)
	}
	return nil
}

// act has the bridge started again, or reboots.
func (g *guard) act(ctx context.Context, reason string) {
	soon, cancel := context.WithTimeout(ctx, actionsLimit)
	defer cancel()
	if err := g.sys.Dump(soon); err != nil {
		log.Print(err)
	}
	action, err := g.decide(reason)
	if err != nil {
		log.Print(err)
	}
	log.Printf("%s: %s", action, reason)
	if action == guardlog.Rebooted {
		err := g.sys.Reboot(ctx)
		if ctx.Err() != nil {
			return
		}
		log.Print("the reboot failed: ", err)
	}
	if err := g.sys.Restart(soon); err != nil {
		log.Print(err)
	}
}
