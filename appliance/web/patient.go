package web

import (
	"io"
	"net/http"
	"time"
)

// patient is the body of a request that may take long: as long as something comes,
// the connection stays open.
type patient struct {
	io.ReadCloser
	ctl *http.ResponseController
	err error // that ended it
}

// bePatient has the rest of the request's body read so.
func (v *visit) bePatient() {
	if _, already := v.r.Body.(*patient); !already {
		v.r.Body = &patient{ReadCloser: v.r.Body, ctl: http.NewResponseController(v.w)}
	}
}

// Read gives the browser more time. Behind the end it no longer does: there the server
// itself waits for the browser to leave, for as long as the answer takes, and a
// deadline would look to it as if it had.
func (p *patient) Read(b []byte) (int, error) {
	if p.err != nil {
		return 0, p.err
	}
	now := time.Now()
	_ = p.ctl.SetReadDeadline(now.Add(readTime))              // a recorder in a test has none
	_ = p.ctl.SetWriteDeadline(now.Add(readTime + checkTime)) // the answer comes after the check
	n, err := p.ReadCloser.Read(b)
	p.err = err
	return n, err
}
