package web

import (
	"errors"
	"io"
)

// drains are the strangers' files that are read to their ends; see drain.
type drains chan struct{}

func newDrains() drains { return make(drains, maxDrains) }

// drain reads the rest of a file that was refused, since a browser does not listen
// before it has sent all: it would show a broken line instead of words. Of those who
// are not signed in a few at a time are listened to, and not for long.
func (v *visit) drain() {
	if !isUpload(v.r) {
		return
	}
	if !v.readRest() {
		v.w.Header().Set("Connection", "close")
	}
}

// readRest reports whether all was read.
func (v *visit) readRest() bool {
	switch {
	case v.r.ContentLength > uploadSize: // it never would be
		return false
	case v.r.Header.Get("Expect") != "": // it listens first, and need not send any
		return false
	}
	if v.session == nil {
		select {
		case v.site.drains <- struct{}{}:
			defer func() { <-v.site.drains }()
		default:
			return false
		}
	}
	v.bePatient()
	began := v.site.Now()
	for buf := make([]byte, 64<<10); v.session != nil || v.site.Now().Sub(began) < drainTime; {
		if _, err := v.r.Body.Read(buf); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
	return false
}
