package web

import (
	"crypto/rand"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"runtime/debug"
)

// policy lets a page load our own style, script and pictures, send forms to us,
// and nothing else.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// guard stands before every page: it sets the headers that every answer has, and
// refuses what no page of ours would send.
func (s *Site) guard(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(plain http.ResponseWriter, r *http.Request) {
		w := &begun{ResponseWriter: plain}
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		defer s.survive(w, r)
		switch {
		case !s.ownName(r.Host):
			s.refuse(w, http.StatusMisdirectedRequest, "This machine is not called that. Open its pages by its address, "+
				"such as http://192.168.1.64, or as http://"+s.Settings.Settings().Hostname+".local")
		case r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost:
			h.Set("Allow", "GET, HEAD, POST")
			s.refuse(w, http.StatusMethodNotAllowed, "Only GET, HEAD and POST are served.")
		case cross.Check(r) != nil:
			s.refuse(w, http.StatusForbidden, "This form was sent from another site's page. Nothing was changed.")
		case r.Method == http.MethodPost && !isForm(r) && !isUpload(r):
			s.refuse(w, http.StatusUnsupportedMediaType, "Only forms are taken.")
		default:
			r.Body = http.MaxBytesReader(plain, r.Body, sizeOf(r)) // which has the server close the line
			next.ServeHTTP(w, r)
		}
	})
}

// begun is an answer that knows whether it has begun.
type begun struct {
	http.ResponseWriter
	yes bool
}

// WriteHeader begins the answer.
func (b *begun) WriteHeader(status int) {
	b.yes = true
	b.ResponseWriter.WriteHeader(status)
}

// Write begins the answer or goes on with it.
func (b *begun) Write(p []byte) (int, error) {
	b.yes = true
	return b.ResponseWriter.Write(p)
}

// Unwrap is for an http.ResponseController.
func (b *begun) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// survive turns a panic into words. The server would survive it as well, but the
// visitor would see a cut line. Where the answer has begun, a cut line is what tells
// that the rest is missing.
func (s *Site) survive(w *begun, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if v != http.ErrAbortHandler {
		s.Log.Error("a page failed", "path", r.URL.Path, "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
	}
	if w.yes || v == http.ErrAbortHandler {
		panic(http.ErrAbortHandler)
	}
	s.refuse(w, http.StatusInternalServerError, "This page failed. The log says why; please report it.")
}

// refuse answers in plain words, where no page could be shown.
func (s *Site) refuse(w http.ResponseWriter, status int, words string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(words + "\n"))
}

// sizeOf is how large a request may be.
func sizeOf(r *http.Request) int64 {
	if isUpload(r) {
		return uploadSize
	}
	return bodySize
}

func isForm(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/x-www-form-urlencoded"
}

// parseForm reads a POST's form. The error is for the visitor.
func parseForm(r *http.Request) error {
	err := r.ParseForm()
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return fault{http.StatusRequestEntityTooLarge, "That is more than this form takes.", nil}
	}
	if err != nil {
		return cutForm(err)
	}
	return nil
}

func cutForm(cause error) error {
	return fault{http.StatusBadRequest, "The form did not arrive whole. Go back and send it again.", cause}
}

// randomText is 256 bits that nobody can guess. It never fails.
func randomText() string { return rand.Text() + rand.Text() }
