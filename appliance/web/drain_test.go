package web_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/web"
)

// fileSize is more than a server, the kernel and a browser keep between them.
const fileSize = 24 << 20

// sender is a browser that sends a file to a real server and, as browsers do, reads
// no answer before it has sent all.
type sender struct {
	net.Conn
	t    *testing.T
	left int // of the form
	sent int // with what stands before the form
}

// tally is a listener that counts what its server has read.
type tally struct {
	net.Listener
	read atomic.Int64
}

type tallied struct {
	net.Conn
	l *tally
}

func (l *tally) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return tallied{c, l}, nil
}

func (c tallied) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.l.read.Add(int64(n))
	return n, err
}

// sendFile begins a form with a file; fields come before it.
func (r *rig) sendFile(at, cookie, header, fields string) *sender {
	r.t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(at, "http://"))
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(liveTime))
	file := "--x\r\nContent-Disposition: form-data; name=\"bundle\"; filename=\"a.p64u\"\r\n\r\n"
	s := &sender{Conn: c, t: r.t, left: fileSize + len(fields) + len(file)}
	s.sent, err = fmt.Fprintf(c, "POST /update/bundle HTTP/1.1\r\nHost: localhost\r\nCookie: prompt64=%s\r\n"+
		"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: %d\r\n%s\r\n", cookie, s.left, header)
	if err != nil {
		r.t.Fatal(err)
	}
	if header == "" {
		s.send([]byte(fields + file))
	}
	return s
}

func (s *sender) send(p []byte) {
	s.t.Helper()
	n, err := s.Write(p)
	s.sent += n
	if s.left -= n; err != nil {
		s.t.Fatalf("cut off with %d bytes still to send: %v", s.left, err)
	}
}

// sendAll sends the rest.
func (s *sender) sendAll() {
	s.t.Helper()
	for s.left > 0 {
		s.send(make([]byte, min(s.left, 1<<20)))
	}
}

// says reads the answer.
func (s *sender) says(status int, want string) *http.Response {
	s.t.Helper()
	res, err := http.ReadResponse(bufio.NewReader(s), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != status || !strings.Contains(words(string(body)), want) {
		s.t.Errorf("status %d instead of %d, does not say %q: %s (%v)", res.StatusCode, status, want, words(string(body)), err)
	}
	return res
}

const badToken = "--x\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nguessed\r\n"

func TestRefusedFileIsReadToItsEndSoThatTheBrowserHearsWhy(t *testing.T) {
	r, u := updating(t)
	at := r.serve()
	for want, cookie := range map[string]string{"This form is too old": r.cookie, "You are signed out": ""} {
		s := r.sendFile(at, cookie, "", badToken)
		s.sendAll()
		if res := s.says(http.StatusForbidden, want); res.Close {
			t.Errorf("%s: the line is closed", want)
		}
	}
	if len(u.calls) != 0 {
		t.Errorf("it did %q", u.calls)
	}
}

func TestProgramThatWaitsWithItsFileIsAnsweredAtOnce(t *testing.T) {
	r, _ := updating(t)
	s := r.sendFile(r.serve(), "", "Expect: 100-continue\r\n", "")
	s.says(http.StatusForbidden, "You are signed out")
}

func TestStrangersFilesAreReadAFewAtATimeAndNotForLong(t *testing.T) {
	var later atomic.Int64
	r := ready(t, func(c *web.Config) {
		c.Updates = &updates{state: update.State{Phase: update.Idle}}
		c.Now = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	})
	l := &tally{Listener: listenLocal(t)}
	serveOn(t, r.site, l)
	at := "http://" + l.Addr().String()
	var first []*sender
	sent := 0
	for range 2 {
		s := r.sendFile(at, "", "", badToken)
		s.send(make([]byte, 16<<20)) // it is being read
		first = append(first, s)
		sent += s.sent
	}
	// What a server has not read when it closes a line takes its answer along.
	eventually(t, "all that was sent to be read", func() bool { return l.read.Load() == int64(sent) })
	third := r.sendFile(at, "", "", badToken)
	if res := third.says(http.StatusForbidden, "You are signed out"); !res.Close {
		t.Error("the line of the third is kept")
	}
	later.Store(int64(time.Hour))
	for _, s := range first {
		_, _ = s.Write([]byte{0}) // wakes the server, unless it looks at its clock just now
		if res := s.says(http.StatusForbidden, "You are signed out"); !res.Close {
			t.Error("the line of a slow one is kept")
		}
	}
	again := r.sendFile(at, "", "", badToken)
	again.sendAll()
	again.says(http.StatusForbidden, "You are signed out")
}

func TestRefusedFileShowsWordsInABrowser(t *testing.T) {
	r, _ := updating(t)
	at := r.serve()
	file := filepath.Join(t.TempDir(), "new.p64u")
	if err := os.WriteFile(file, bytes.Repeat([]byte("x"), fileSize), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := tab(t, 320, 640)
	do(t, ctx, chromedp.Navigate(at+"/signin"), chromedp.SendKeys(chromedp.CSS("#password"), password+kb.Enter), waitFor("/"),
		chromedp.Navigate(at+"/update"), chromedp.SetUploadFiles(chromedp.CSS("#bundle"), []string{file}),
		chromedp.SetJavascriptAttribute(chromedp.CSS(`main form [name=token]`), "value", "old"),
		press("Install"), shows("This form is too old"))
}
