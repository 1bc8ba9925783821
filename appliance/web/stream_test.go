package web_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/support"
	"github.com/prompt64/prompt64/appliance/web"
)

// logStreams runs a test in synctest's time, with pages that show a log.
func logStreams(t *testing.T, test func(t *testing.T, r *rig, p *pipes, log *slog.Logger)) {
	t.Helper()
	l := support.NewLog(io.Discard, &support.Redactor{})
	synctest.Test(t, func(t *testing.T) {
		r, p := ready(t, func(c *web.Config) { c.Logs = l }), newPipes()
		serveOn(t, r.site, p)
		test(t, r, p, slog.New(l.Handler(slog.LevelDebug)))
	})
}

// open opens a stream and returns it behind its head.
func (r *rig) open(p *pipes, path string) (line net.Conn, events *bufio.Reader, status int) {
	r.t.Helper()
	line = p.line(r.t)
	if _, err := io.WriteString(line, r.head("GET "+path)); err != nil {
		r.t.Fatal(err)
	}
	read := bufio.NewReader(line)
	res, err := http.ReadResponse(read, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return line, bufio.NewReader(res.Body), res.StatusCode
}

// beat is what a stream sends that has nothing to say.
const beat = ":\n"

// reads expects a line of a stream that holds something; beats and the rest of events
// are passed over.
func reads(t *testing.T, events *bufio.Reader, want string) {
	t.Helper()
	for {
		text, err := events.ReadString('\n')
		if strings.Contains(text, want) {
			return
		}
		if err != nil || text != "\n" && text != ":\n" && !strings.HasPrefix(text, "retry") && !strings.HasPrefix(text, "id") && !strings.HasPrefix(text, "event") {
			t.Fatalf("%q, %v instead of %q", text, err, want)
		}
	}
}

func TestStreamBeatsWhileNothingIsToBeSaid(t *testing.T) {
	logStreams(t, func(t *testing.T, r *rig, p *pipes, _ *slog.Logger) {
		_, events, _ := r.open(p, "/logs/events")
		began := time.Now()
		for i := range 40 {
			reads(t, events, beat)
			if now := time.Since(began); now < time.Duration(i+1)*15*time.Second || now > time.Duration(i+1)*16*time.Second {
				t.Fatalf("beat %d comes after %v", i+1, now)
			}
		}
	})
}

// A log that is written all the time, of which a browser wants nothing.
func TestStreamBeatsWhileMuchIsSaidThatTheBrowserDoesNotWant(t *testing.T) {
	logStreams(t, func(t *testing.T, r *rig, p *pipes, log *slog.Logger) {
		done := make(chan struct{})
		defer close(done)
		go func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(time.Second):
					log.Info("again")
				}
			}
		}()
		_, events, _ := r.open(p, "/logs/events?level=warn")
		began := time.Now()
		for range 3 {
			reads(t, events, beat)
		}
		if took := time.Since(began); took < 44*time.Second || took > time.Minute {
			t.Errorf("three beats took %v", took)
		}
		r.post("/signout", nil)
		reads(t, events, "You are signed out. Sign in to go on.")
		if text, err := io.ReadAll(events); err != nil || strings.TrimSpace(string(text)) != "" {
			t.Errorf("then comes %q, %v", text, err)
		}
	})
}

func TestQuietStreamOfABrowserThatIsSignedOutEnds(t *testing.T) {
	logStreams(t, func(t *testing.T, r *rig, p *pipes, _ *slog.Logger) {
		_, events, _ := r.open(p, "/logs/events")
		r.post("/signout", nil)
		began := time.Now()
		reads(t, events, "You are signed out. Sign in to go on.")
		if took := time.Since(began); took > 16*time.Second {
			t.Errorf("after %v", took)
		}
	})
}

func TestSlowReaderIsDroppedAndHurtsNoOther(t *testing.T) {
	logStreams(t, func(t *testing.T, r *rig, p *pipes, log *slog.Logger) {
		const most = 24
		var slow []*bufio.Reader
		for range most - 1 { // they read no more than the head
			_, events, _ := r.open(p, "/logs/events")
			slow = append(slow, events)
		}
		_, quick, _ := r.open(p, "/logs/events")
		if _, _, status := r.open(p, "/logs/events"); status != http.StatusServiceUnavailable {
			t.Errorf("one more gets %d", status)
		}
		for i := range 3 {
			log.Info(fmt.Sprint("line ", i), "long", strings.Repeat("x", 7000))
			reads(t, quick, fmt.Sprint("line ", i))
		}
		for range 4 { // a minute
			reads(t, quick, beat)
		}
		for range most - 1 { // their places are free
			if _, _, status := r.open(p, "/logs/events"); status != http.StatusOK {
				t.Fatalf("a new one gets %d", status)
			}
		}
		reads(t, quick, beat)
		if _, err := io.ReadAll(slow[0]); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("the line of a slow one ends with %v", err)
		}
	})
}

func TestReaderThatLeavesMakesRoomForAnother(t *testing.T) {
	logStreams(t, func(t *testing.T, r *rig, p *pipes, _ *slog.Logger) {
		for range 100 {
			line, _, status := r.open(p, "/logs/events")
			if status != http.StatusOK {
				t.Fatalf("status %d", status)
			}
			_ = line.Close()
			synctest.Wait()
		}
	})
}

func TestWhoAsksForTheHeadOfAStreamHoldsNothing(t *testing.T) {
	logStreams(t, func(t *testing.T, r *rig, p *pipes, _ *slog.Logger) {
		for range 100 {
			c := p.line(t)
			_, _ = io.WriteString(c, r.head("HEAD /logs/events"))
			res, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: "HEAD"})
			if err != nil || res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
				t.Fatal(res, err)
			}
			_, err = io.WriteString(c, r.head("GET /healthz")) // the line is free for more
			if res := lineAnswer(t, c); err != nil || res.body != "ok\n" {
				t.Fatal(err, res.body)
			}
			_ = c.Close()
		}
	})
}

// stuck is a log that cannot be waited for.
type stuck struct{ breaking }

func (*stuck) Lines(after uint64, _ slog.Level) ([]support.Line, uint64, uint64) {
	return nil, after, 0
}
func (*stuck) Wait(context.Context, uint64) error { return errors.New("no more lines") }

func TestStreamThatCannotGoOnEndsAndIsLogged(t *testing.T) {
	r, logged := reported(t, func(c *web.Config) { c.Logs = &stuck{} })
	res := r.followAt(r.serve(), "/logs/events")
	if text, err := io.ReadAll(res.Body); err != nil || string(text) != "retry: 2000\n\n" {
		t.Errorf("%q, %v", text, err)
	}
	if !strings.Contains(logged(), "a stream ended") || !strings.Contains(logged(), "no more lines") {
		t.Errorf("logged: %s", logged())
	}
}
