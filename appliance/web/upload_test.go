package web_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/web"
)

// multipartField is a field of a form with a file.
func multipartField(name, value string) string {
	return "--x\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n"
}

// bundleField begins the file.
const bundleField = "--x\r\nContent-Disposition: form-data; name=\"bundle\"; filename=\"a.p64u\"\r\n\r\n"

const multipartEnd = "\r\n--x--\r\n"

// uploadHead is the head of the request that brings an update.
func (r *rig) uploadHead(more ...string) string {
	return r.head("POST /update/bundle", append(more, "Content-Type: multipart/form-data; boundary=x")...)
}

// uploadOf is such a request.
func (r *rig) uploadOf(body string) string {
	return r.uploadHead(fmt.Sprint("Content-Length: ", len(body))) + body
}

// ask sends a request as it is to a real server, and no more: half of the line is closed.
func (r *rig) ask(at, request string) answer {
	r.t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(at, "http://"))
	if err != nil {
		r.t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(liveTime))
	if _, err := io.WriteString(c, request); err != nil {
		r.t.Fatal(err)
	}
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		r.t.Fatal(err)
	}
	return lineAnswer(r.t, c)
}

func TestFormThatBringsNoUpdateIsAnsweredInWordsAndNothingIsTaken(t *testing.T) {
	r, u := updating(t)
	at, token := r.serve(), multipartField("token", r.token())
	whole := "Content-Length: 5000"
	for name, one := range map[string]struct {
		request string
		status  int
		words   string
	}{
		"no token":        {r.uploadOf(bundleField + "update" + multipartEnd), http.StatusForbidden, "This form is too old"},
		"token behind it": {r.uploadOf(bundleField + "update\r\n" + token + multipartEnd[2:]), http.StatusForbidden, "This form is too old"},
		"other field":     {r.uploadOf(multipartField("older", "on") + token + bundleField + "update" + multipartEnd), http.StatusForbidden, "This form is too old"},
		"no length": {r.uploadHead("Transfer-Encoding: chunked") + "0\r\n\r\n", http.StatusLengthRequired,
			"does not say how large the file is"},
		"over 1 GiB":      {r.uploadHead(fmt.Sprint("Content-Length: ", 1<<30+1)), http.StatusRequestEntityTooLarge, "No update is that large"},
		"no boundary":     {r.head("POST /update/bundle", "Content-Type: multipart/form-data", "Content-Length: 0"), http.StatusUnsupportedMediaType, "Only a form with a file"},
		"no file":         {r.uploadOf(token + multipartEnd[2:]), http.StatusBadRequest, "Choose the file of an update first"},
		"nothing":         {r.uploadOf(""), http.StatusBadRequest, "did not arrive whole"},
		"cut at once":     {r.uploadHead(whole) + token[:20], http.StatusBadRequest, "did not arrive whole"},
		"cut in a field":  {r.uploadHead(whole) + token + multipartField("older", "on")[:54], http.StatusBadRequest, "did not arrive whole"},
		"cut in a name":   {r.uploadHead(whole) + token + bundleField[:40], http.StatusBadRequest, "did not arrive whole"},
		"endless of them": {r.uploadOf(token + strings.Repeat(multipartField("older", "on"), 100) + bundleField + "update" + multipartEnd), http.StatusBadRequest, "This is no form of this device"},
	} {
		res := r.ask(at, one.request)
		if res.StatusCode != one.status || !strings.Contains(words(res.body), one.words) {
			t.Errorf("%s: status %d, want %d and %q: %s", name, res.StatusCode, one.status, one.words, words(res.body))
		}
	}
	if len(u.calls) != 0 {
		t.Errorf("it did %q", u.calls)
	}
}

func TestFileThatIsCutInTheMiddleIsSaidToBe(t *testing.T) {
	r, u := updating(t)
	form := multipartField("token", r.token()) + bundleField
	res := r.ask(r.serve(), r.uploadHead("Content-Length: 50000")+form+strings.Repeat("x", 20000))
	r.says(res, http.StatusBadRequest, "The file did not arrive whole: send it again.")
	if len(u.calls) != 1 {
		t.Errorf("it did %q", u.calls)
	}
}

// slow is a device whose check takes a while.
type slow struct {
	updates
	check time.Duration
}

func (s *slow) Receive(ctx context.Context, r io.Reader, size int64, c update.Consent) error {
	// A few bytes at a time, so that the file is read on when all has arrived.
	if err := s.updates.Receive(ctx, iotest.OneByteReader(r), size, c); err != nil {
		return err
	}
	select {
	case <-time.After(s.check):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func TestCheckOfAnUpdateMayTakeLongerThanItsBrowserMayPause(t *testing.T) {
	s := &slow{check: 90 * time.Second}
	timed(t, func(c *web.Config) { c.Updates = s }, func(t *testing.T, r *rig, p *pipes) {
		c := p.line(t)
		go io.WriteString(c, r.uploadOf(multipartField("token", r.token())+bundleField+strings.Repeat("x", 100_000)+multipartEnd))
		r.leadsTo(lineAnswer(t, c), "/update")
	})
}

func TestSlowUploadGoesOnAsLongAsSomethingComes(t *testing.T) {
	s := &slow{}
	timed(t, func(c *web.Config) { c.Updates = s }, func(t *testing.T, r *rig, p *pipes) {
		c, form := p.line(t), multipartField("token", r.token())+bundleField
		const parts = 40
		head := r.uploadHead(fmt.Sprint("Content-Length: ", len(form)+parts+len(multipartEnd)))
		go func() {
			_, _ = io.WriteString(c, head+form)
			for range parts { // for more than six minutes
				time.Sleep(10 * time.Second)
				_, _ = io.WriteString(c, "x")
			}
			_, _ = io.WriteString(c, multipartEnd)
		}()
		r.leadsTo(lineAnswer(t, c), "/update")
		if string(s.got) != strings.Repeat("x", parts) {
			t.Errorf("%q arrived", s.got)
		}
	})
}

func TestUploadThatStopsIsGivenUpAndTold(t *testing.T) {
	s := &slow{}
	timed(t, func(c *web.Config) { c.Updates = s }, func(t *testing.T, r *rig, p *pipes) {
		c, began := p.line(t), time.Now()
		_, _ = io.WriteString(c, r.uploadHead("Content-Length: 50000")+multipartField("token", r.token())+bundleField+"x")
		r.says(lineAnswer(t, c), http.StatusBadRequest, "The file did not arrive whole: send it again.")
		if took := time.Since(began); took > time.Minute {
			t.Errorf("after %v", took)
		}
		synctest.Wait()
	})
}
