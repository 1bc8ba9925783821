package folderstest

import (
	"net/http"
	"strings"
	"sync"
)

// Pack is what a clone is sent, held back behind its first bytes.
type Pack struct {
	Held chan struct{} // closed when the first bytes are sent

	held, once sync.Once
	decided    chan struct{} // closed when it is known how it goes on
	how        ending        // and how; written before
}

// ending is how a pack goes on that was held back.
type ending uint8

const (
	whole ending = iota
	cut          // no more comes, and the line breaks
	short        // no more comes
)

// Hold holds back what every clone is sent from now on, behind so many bytes, until
// Send or Cut says how it goes on.
func (s *Server) Hold(after int) *Pack {
	p := &Pack{Held: make(chan struct{}), decided: make(chan struct{})}
	s.Wrap(func(git http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/git-upload-pack") {
				w = &heldWriter{ResponseWriter: w, pack: p, left: after}
			}
			git.ServeHTTP(w, r)
		})
	})
	return p
}

// Send sends the rest.
func (p *Pack) Send() { p.decide(whole) }

// Cut cuts the connection, as a server does that dies.
func (p *Pack) Cut() { p.decide(cut) }

// End ends the answer as if that were all, as a proxy does whose server dies.
func (p *Pack) End() { p.decide(short) }

// decide counts once.
func (p *Pack) decide(how ending) {
	p.once.Do(func() {
		p.how = how
		close(p.decided)
	})
}

// heldWriter counts what is sent.
type heldWriter struct {
	http.ResponseWriter
	pack *Pack
	left int
	free bool
}

// Write sends what may be sent, and waits where it is the time to.
func (w *heldWriter) Write(b []byte) (n int, err error) {
	if w.free || len(b) <= w.left {
		w.left -= len(b)
		return w.ResponseWriter.Write(b)
	}
	if n, err = w.ResponseWriter.Write(b[:w.left]); err != nil {
		return n, err
	}
	_ = http.NewResponseController(w.ResponseWriter).Flush()
	w.pack.held.Do(func() { close(w.pack.Held) })
	switch <-w.pack.decided; w.pack.how {
	case cut:
		panic(http.ErrAbortHandler)
	case short:
		w.left = 0
		return len(b), nil
	}
	w.free = true
	rest, err := w.ResponseWriter.Write(b[n:])
	return n + rest, err
}
