package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// streams are the answers that go on and on: they are counted, and the end of
// the server ends them.
type streams struct {
	start string // new with each Site: positions of a former one mean nothing

	mu   sync.Mutex
	open map[*stream]context.CancelFunc
}

func newStreams() *streams {
	return &streams{start: randomText()[:12], open: map[*stream]context.CancelFunc{}}
}

// close ends the streams that run; new ones may begin after it.
func (s *streams) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cancel := range s.open {
		cancel()
	}
}

func (s *streams) add(st *stream, cancel context.CancelFunc) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) >= maxStreams {
		return false
	}
	s.open[st] = cancel
	return true
}

func (s *streams) remove(st *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, st)
}

// stream is an answer of server-sent events to one browser.
type stream struct {
	visit *visit
	ctl   *http.ResponseController
	wrote time.Time // when the browser got something last
}

// errSignedOut ends a stream whose browser was signed out meanwhile.
var errSignedOut = errors.New("signed out")

var errManyStreams = fault{http.StatusServiceUnavailable, "Too many browsers watch already. Close one of them.", nil}

// stream answers with events until follow returns. follow sends what there is and
// waits for more, in turns; where anew, the browser is told first to drop what it has.
func (v *visit) stream(anew bool, follow func(context.Context, *stream) error) error {
	v.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	if v.r.Method == http.MethodHead {
		return nil // nothing would ever be sent, nor seen whether somebody is there
	}
	ctx, cancel := context.WithCancel(v.r.Context())
	defer cancel()
	st := &stream{visit: v, ctl: http.NewResponseController(v.w)}
	if !v.site.streams.add(st, cancel) {
		return errManyStreams
	}
	defer v.site.streams.remove(st)
	err := st.write("retry: 2000\n\n")
	if err == nil && anew {
		err = st.send("reset", 0, true)
	}
	if err == nil {
		err = follow(ctx, st)
	}
	switch {
	case errors.Is(err, errSignedOut):
		_ = st.over("You are signed out. Sign in to go on.")
	case err != nil && ctx.Err() == nil:
		v.site.Log.Debug("a stream ended", "path", v.r.URL.Path, "err", err)
	}
	return nil // the answer has begun: there is no other any more
}

// send sends an event. Its position is where a browser goes on that was cut off.
func (st *stream) send(event string, position uint64, data any) error {
	if !st.allowed() {
		return errSignedOut
	}
	return st.write(fmt.Sprintf("id: %s\nevent: %s\ndata: %s\n\n", st.visit.site.streams.from(position), event, inJSON(data)))
}

// over says why there will be no more; the browser does not come back.
func (st *stream) over(words string) error {
	return st.write(fmt.Sprintf("event: over\ndata: %s\n\n", inJSON(words)))
}

// inJSON is for what is made of words, numbers and lists of them, which always can be.
func inJSON(data any) []byte {
	text, _ := json.Marshal(data)
	return text
}

// beat keeps the line open and sees whether the browser is still
// there and signed in.
func (st *stream) beat() error {
	if !st.allowed() {
		return errSignedOut
	}
	return st.write(":\n\n")
}

// allowed reports whether the browser may see more.
func (st *stream) allowed() bool {
	v := st.visit
	return v.site.Sessions.find(v.cookie, v.site.Now()) != nil && v.site.mode() == normal
}

// write gives a browser that takes nothing a while, and no more.
func (st *stream) write(text string) error {
	_ = st.ctl.SetWriteDeadline(time.Now().Add(writeTime))
	if _, err := st.visit.w.Write([]byte(text)); err != nil {
		return err
	}
	st.wrote = time.Now()
	return st.ctl.Flush()
}

// position is where a browser goes on: behind the last event that it got, or
// where its page ends. known is false for one of a former Site.
func (v *visit) position() (position uint64, known bool) {
	text := v.r.Header.Get("Last-Event-ID")
	if text == "" {
		text = v.r.URL.Query().Get("from")
	}
	if text == "" {
		return 0, true
	}
	start, number, _ := strings.Cut(text, "-")
	position, err := strconv.ParseUint(number, 10, 64)
	if err != nil || start != v.site.streams.start {
		return 0, false
	}
	return position, true
}

// from is a position as an address holds it.
func (s *streams) from(position uint64) string { return fmt.Sprintf("%s-%d", s.start, position) }

// pause lets a moment pass.
func (st *stream) pause(ctx context.Context) error {
	t := time.NewTimer(pauseTime)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// turn has wait bring what is there, or wait for it for a beat's time; there is a beat
// as well where much came and nothing of it was for this browser. Then a moment
// passes, so that the next turn brings what came in a burst.
func (st *stream) turn(ctx context.Context, wait func(context.Context) error) error {
	part, cancel := context.WithTimeout(ctx, beatTime)
	defer cancel()
	err := wait(part)
	if err != nil && (part.Err() == nil || ctx.Err() != nil) {
		return err
	}
	if time.Since(st.wrote) >= beatTime {
		if err := st.beat(); err != nil {
			return err
		}
	}
	return st.pause(ctx)
}
