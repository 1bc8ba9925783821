// Package web is the bridge's pages: for now one bare page that says what this
// is and how the bridge does, the C64's program ready to load, and a health check.
//
// What it does not promise: there is no sign-in, so nothing here changes any
// state or tells a secret; the program that it hands out carries no pairing code.
// The address in that program is the one the browser used, which a C64 on another
// network may not reach.
package web

import (
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"time"
)

// State is what the page says about the bridge.
type State struct {
	Provider string // the agent, such as "demo 1.0"
	Attached int    // leases whose C64 is connected
	Detached int    // leases that wait for their C64
	Waiting  int    // connections without a lease
}

// Config is what the pages need. State and Program are required.
type Config struct {
	State   func() State
	Program func(host string) ([]byte, error) // the PRG that dials host
	Health  func() error                      // nil: always healthy
	Log     *slog.Logger                      // nil: discarded
}

//go:embed page.html page.css
var files embed.FS

// NewServer returns a server of the pages that a slow or hostile browser cannot
// hold for long. The caller lets it serve on a listener, and shuts it down.
func NewServer(cfg Config) *http.Server {
	return &http.Server{
		Handler:           NewHandler(cfg),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      10 * time.Second,
		IdleTimeout:       30 * time.Second,
		MaxHeaderBytes:    8 << 10,
		ErrorLog:          slog.NewLogLogger(logger(cfg).Handler(), slog.LevelDebug),
	}
}

// NewHandler returns the pages.
func NewHandler(cfg Config) http.Handler {
	cfg.Log = logger(cfg)
	p := &pages{Config: cfg, page: template.Must(template.ParseFS(files, "page.html"))}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.index)
	mux.HandleFunc("GET /page.css", p.style)
	mux.HandleFunc("GET /prompt64.prg", p.program)
	mux.HandleFunc("GET /prompt64.d64", p.disk)
	mux.HandleFunc("GET /healthz", p.health)
	return guard(mux)
}

func logger(cfg Config) *slog.Logger {
	if cfg.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return cfg.Log
}

// guard sets the headers that every answer has, and lets only reading through.
func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD are served", http.StatusMethodNotAllowed)
			return
		}
		next.ServeHTTP(w, r)
	})
}
