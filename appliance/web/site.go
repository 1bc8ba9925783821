package web

import (
	"context"
	"errors"
	"html/template"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// Site is the pages. Its methods are safe for concurrent use.
type Site struct {
	Config
	templates map[string]*template.Template
	attempts  *attempts
	jobs      *jobs
	streams   *streams
	drains    drains
	handler   http.Handler
}

// New makes the pages; it starts nothing. Close ends what they start.
func New(cfg Config) *Site {
	s := &Site{Config: cfg.withDefaults(), templates: parseTemplates()}
	s.attempts = newAttempts(s.Now)
	s.jobs = newJobs(s.Log)
	s.streams = newStreams()
	s.drains = newDrains()
	s.handler = s.guard(s.routes())
	return s
}

// Close ends what the pages started and still runs, such as a clone.
func (s *Site) Close() { s.jobs.close() }

// Handler answers requests.
func (s *Site) Handler() http.Handler { return s.handler }

// Serve answers what comes in on l until ctx is done, and then closes l and
// returns nil. A browser that is slow is cut off after a second.
func (s *Site) Serve(ctx context.Context, l net.Listener) error {
	server := s.server()
	server.RegisterOnShutdown(func() { guarded.Run("pages' streams", s.streams.close, nil) })
	ended := make(chan struct{})
	stop := guarded.AfterDone(ctx, "pages' end", func() {
		defer close(ended)
		defer server.Close()
		polite, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = server.Shutdown(polite)
	}, nil)
	err := server.Serve(newLimited(l))
	if !stop() { // the shutdown has begun
		<-ended
	}
	_ = server.Close()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// server cannot be held for long by a slow or hostile browser.
func (s *Site) server() *http.Server {
	return &http.Server{
		Handler:                      s.handler,
		DisableGeneralOptionsHandler: true, // no answer without the guard's headers
		ReadHeaderTimeout:            headerTime,
		ReadTimeout:                  readTime,
		WriteTimeout:                 writeTime,
		IdleTimeout:                  idleTime,
		MaxHeaderBytes:               headerSize,
		ErrorLog:                     slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
}
