package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"
)

// attempt makes one request and keeps what it brings. It returns the number of
// bytes that came, and whether the kept file came whole from this one answer.
func (g *get) attempt(ctx context.Context) (got int64, whole bool, err error) {
	stall := g.Stall
	if stall <= 0 {
		stall = defaultStall
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watchdog := time.AfterFunc(stall, func() {
		cancel(fmt.Errorf("the server was silent for %v", stall))
	})
	defer watchdog.Stop()

	offset, validator := g.resume()
	resp, err := g.request(ctx, offset, validator)
	if err != nil {
		return 0, false, causeOf(ctx, err)
	}
	defer resp.Body.Close()
	a, err := judge(resp, offset, validator)
	if err != nil {
		return 0, false, g.refuse(err)
	}
	if err := g.begin(a); err != nil {
		return 0, false, err
	}
	got, err = g.keep(a, resp.Body, func() { watchdog.Reset(stall) })
	return got, a.start == 0, causeOf(ctx, err)
}

// resume returns where to go on and the validator that makes it safe. Without
// one the kept bytes are of no use.
func (g *get) resume() (offset int64, validator string) {
	if validator = g.part.validator(g.address); validator == "" {
		return 0, ""
	}
	return g.have(), validator
}

func (g *get) request(ctx context.Context, offset int64, validator string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.address, nil)
	if err != nil {
		return nil, finalError{err}
	}
	req.Header.Set("User-Agent", "prompt64")
	req.Header.Set("Accept-Encoding", "identity") // the digest is about the stored bytes
	if offset > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", offset))
		req.Header.Set("If-Range", validator)
	}
	client := http.Client{}
	if g.Client != nil {
		client = *g.Client
	}
	client.CheckRedirect = checkRedirect
	resp, err := client.Do(req)
	// The address, which may hold a signature, stays out of the words.
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return resp, err
}

var errDowngrade = errors.New("the server sends from https to http: that is refused")

func checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) >= 10 {
		return errors.New("the server sends in circles")
	}
	if via[len(via)-1].URL.Scheme == "https" && req.URL.Scheme != "https" {
		return finalError{errDowngrade}
	}
	return nil
}

// refuse drops the kept bytes when an answer shows that they cannot be
// continued.
func (g *get) refuse(err error) error {
	if errors.Is(err, errOtherFile) {
		if dropErr := g.drop(); dropErr != nil {
			return finalError{dropErr}
		}
	}
	return err
}

// begin makes the kept file ready for an answer.
func (g *get) begin(a answer) error {
	limit := g.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	if a.total > limit {
		return finalError{fmt.Errorf("the file has %d bytes, more than the %d that are allowed", a.total, limit)}
	}
	if g.Room != nil {
		if err := g.Room(max(a.total-a.start, 0)); err != nil {
			return finalError{err}
		}
	}
	if a.start == 0 {
		if err := g.file.Truncate(0); err != nil {
			return finalError{err}
		}
		if err := g.part.note(g.address, a.validator); err != nil {
			return finalError{err}
		}
	}
	if _, err := g.file.Seek(a.start, io.SeekStart); err != nil {
		return finalError{err}
	}
	return nil
}

// keep copies an answer's body to the file and makes it last.
func (g *get) keep(a answer, body io.Reader, alive func()) (int64, error) {
	limit := a.total
	if limit < 0 {
		if limit = g.Limit; limit <= 0 {
			limit = defaultLimit
		}
	}
	w := &meter{w: g.file, done: a.start, total: a.total, alive: alive, show: g.Progress}
	n, err := io.CopyBuffer(w, io.LimitReader(body, limit-a.start), make([]byte, bufferSize))
	if w.err != nil {
		return n, finalError{fmt.Errorf("write %s: %w", g.file.Name(), w.err)}
	}
	if err == nil && a.total >= 0 && a.start+n < a.total {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return n, fmt.Errorf("the line broke after %d bytes: %w", a.start+n, err)
	}
	if err := g.file.Sync(); err != nil {
		return n, finalError{err}
	}
	return n, nil
}

// meter writes, counts, and tells a failure to write from one to read.
type meter struct {
	w           *os.File
	done, total int64
	alive       func()
	show        func(done, total int64)
	err         error
}

func (m *meter) Write(b []byte) (int, error) {
	m.alive()
	n, err := m.w.Write(b)
	m.done += int64(n)
	m.err = err
	if m.show != nil {
		m.show(m.done, m.total)
	}
	return n, err
}

// causeOf prefers the watchdog's words to "context canceled".
func causeOf(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return context.Cause(ctx)
}
