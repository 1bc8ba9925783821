package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/prompt64/prompt64/appliance/supervisor"
	"github.com/prompt64/prompt64/appliance/web"
)

// webShutdownTime is how long the end waits for answers to browsers.
const webShutdownTime = time.Second

// pagesPart serves the pages.
func (a *app) pagesPart() supervisor.Part {
	port := portOf(a.c64s.address())
	cfg := web.Config{
		State:   a.state,
		Program: func(host string) ([]byte, error) { return configuredPRG(host, port, "") },
		Log:     a.log.With("part", "web"),
	}
	return supervisor.Part{
		Name: "pages", Deadline: supervisor.DefaultDeadline, Patience: listenerPatience, Needed: true,
		Service: supervisor.Func(func(ctx context.Context) error {
			l, err := a.browsers.take()
			if err != nil {
				return err
			}
			return servePages(ctx, web.NewServer(cfg), supervisor.Accepting(ctx, l))
		}),
	}
}

// servePages lets a server answer until ctx is over.
func servePages(ctx context.Context, s *http.Server, l net.Listener) error {
	ended := make(chan struct{})
	defer func() { <-ended }()
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		polite, cancel := context.WithTimeout(context.WithoutCancel(ctx), webShutdownTime)
		defer cancel()
		_ = s.Shutdown(polite) // a browser that is slow is cut off
		_ = s.Close()
	})
	err := s.Serve(l)
	if stop() { // nobody asked it to end
		_ = s.Close()
		close(ended)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// state is what the page says.
func (a *app) state() web.State {
	info := a.provider.Info()
	state := web.State{Provider: info.Name + " " + info.Version, Waiting: a.bridge.State().Waiting}
	for _, l := range a.leases.Snapshot() {
		if l.Attached {
			state.Attached++
		} else {
			state.Detached++
		}
	}
	return state
}
