package agenttest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
)

// Fault makes one answer of a Server go wrong. It gets the offset that was asked
// for and returns whether it answered itself.
type Fault func(s *Server, w http.ResponseWriter, offset int) bool

// Server serves one file on loopback, with ranges, and plays one fault for each
// request as long as there are any.
type Server struct {
	URL string

	mu       sync.Mutex
	body     []byte
	etag     string
	faults   []Fault
	requests []string // the Range header of each
}

// Serve starts a server that the test ends.
func Serve(t TB, body []byte, faults ...Fault) *Server {
	s := &Server{body: body, etag: `"one"`, faults: faults}
	h := httptest.NewServer(s)
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
	})
	s.URL = h.URL + "/file"
	return s
}

// Requests returns the Range header of each request so far.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.requests...)
}

// Replace puts another file in the place of the first.
func (s *Server) Replace(body []byte, etag string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.body, s.etag = body, etag
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r.Header.Get("Range"))
	var fault Fault
	if len(s.faults) > 0 {
		fault, s.faults = s.faults[0], s.faults[1:]
	}
	body, etag := s.body, s.etag
	s.mu.Unlock()

	offset := 0
	if text, ok := strings.CutPrefix(r.Header.Get("Range"), "bytes="); ok && r.Header.Get("If-Range") == etag {
		offset, _ = strconv.Atoi(strings.TrimSuffix(text, "-"))
	}
	w.Header().Set("ETag", etag)
	if fault != nil && fault(s, w, offset) {
		return
	}
	send(w, body, offset, len(body))
}

// send answers with the body from offset on and breaks off at end.
func send(w http.ResponseWriter, body []byte, offset, end int) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)-offset))
	if offset > 0 {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", offset, len(body)-1, len(body)))
		w.WriteHeader(http.StatusPartialContent)
	}
	_, _ = w.Write(body[offset:max(offset, min(end, len(body)))])
	if end < len(body) {
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler) // the server's own way to cut the line
	}
}

// Fine is no fault.
func Fine(*Server, http.ResponseWriter, int) bool { return false }

// CutAt breaks the line behind the file's byte n.
func CutAt(n int) Fault {
	return func(s *Server, w http.ResponseWriter, offset int) bool {
		send(w, s.file(), offset, n)
		return true
	}
}

// Answer sends a status and nothing of the file.
func Answer(status int) Fault {
	return func(_ *Server, w http.ResponseWriter, _ int) bool {
		http.Error(w, "no", status)
		return true
	}
}

// Redirect sends to another address.
func Redirect(address string) Fault {
	return func(_ *Server, w http.ResponseWriter, _ int) bool {
		w.Header().Set("Location", address)
		w.WriteHeader(http.StatusFound)
		return true
	}
}

// LieAboutRange sends what it was not asked for, under a Content-Range of its
// own making.
func LieAboutRange(contentRange string) Fault {
	return func(s *Server, w http.ResponseWriter, _ int) bool {
		w.Header().Set("Content-Range", contentRange)
		w.WriteHeader(http.StatusPartialContent)
		_, _ = w.Write(s.file())
		return true
	}
}

// Garble sends the right number of wrong bytes.
func Garble(s *Server, w http.ResponseWriter, offset int) bool {
	wrong := append([]byte(nil), s.file()...)
	for i := offset; i < len(wrong); i++ {
		wrong[i] ^= 0x55
	}
	send(w, wrong, offset, len(wrong))
	return true
}

// NoValidator sends the file up to byte n without saying what identifies it.
func NoValidator(n int) Fault {
	return func(s *Server, w http.ResponseWriter, offset int) bool {
		w.Header().Del("ETag")
		send(w, s.file(), offset, n)
		return true
	}
}

// Silence sends the headers and the first bytes, and then nothing until the
// client goes away or stop is closed.
func Silence(n int, stop <-chan struct{}) Fault {
	return func(s *Server, w http.ResponseWriter, _ int) bool {
		body := s.file()
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body[:n])
		_ = http.NewResponseController(w).Flush()
		<-stop
		return true
	}
}

func (s *Server) file() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.body
}
