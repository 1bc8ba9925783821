package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// clocked counts how often a browser was given more time.
type clocked struct {
	http.ResponseWriter
	reads, writes int
}

func (c *clocked) SetReadDeadline(time.Time) error  { c.reads++; return nil }
func (c *clocked) SetWriteDeadline(time.Time) error { c.writes++; return nil }

func TestBrowserIsGivenTimeWithEachReadAndNoneBehindTheEnd(t *testing.T) {
	w := &clocked{ResponseWriter: httptest.NewRecorder()}
	v := &visit{w: w, r: httptest.NewRequest("POST", "/update/bundle", strings.NewReader("12345"))}
	v.bePatient()
	v.bePatient() // counts once
	if text, err := io.ReadAll(v.r.Body); string(text) != "12345" || err != nil || w.reads != 2 || w.writes != 2 {
		t.Errorf("read %q, %v; more time was given %d and %d times", text, err, w.reads, w.writes)
	}
	if n, err := v.r.Body.Read(make([]byte, 1)); n != 0 || err != io.EOF || w.reads != 2 || w.writes != 2 {
		t.Errorf("behind the end: %d, %v; %d and %d times", n, err, w.reads, w.writes)
	}
}
