package push

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/prompt64/prompt64/appliance/update"
)

// Options say what is sent where.
type Options struct {
	Host     string // of the device: a name or an address, perhaps with a port
	Password string
	Bundle   string // the file
	Consent  update.Consent
	Now      bool // do not wait for a turn to end
	// Note takes lines for a person, Progress what was sent of how much. Both may
	// be nil.
	Note     func(string)
	Progress func(done, total int64)

	dial func(ctx context.Context, network, addr string) (net.Conn, error) // nil: the network
}

// Times of a push.
const (
	pollEvery  = 2 * time.Second
	uploadTime = 30 * time.Minute
	readyTime  = 2 * time.Minute
	endTime    = 30 * time.Minute // but a turn may take as long as it does
)

// Run sends a bundle, and returns nil only when the device has started the new
// version as any other. Other errors say what became of it.
func Run(ctx context.Context, o Options) error {
	if o.Note == nil {
		o.Note = func(string) {}
	}
	p, err := open(o.Host, o.Password, o.dial)
	if err != nil {
		return err
	}
	before, err := p.readyState(ctx)
	if err != nil {
		return fmt.Errorf("reach %s: %w", p.base.Host, err)
	}
	o.Note("the device runs " + before.Running)
	w := watch{Options: o, pages: p, seen: time.Now()}
	err = p.upload(ctx, o)
	var lost *lostError
	switch {
	case errors.As(err, &lost):
		o.Note("the device's answer was lost; it is asked what became of the update")
		return w.runAfter(ctx, before.Last, lost)
	case err != nil:
		return err
	}
	o.Note("the device took the update")
	return w.run(ctx)
}

// readyState is the state once the device knows it. One that has just started is slow
// to answer, too: an answer that does not come in time is asked for again.
func (p *pages) readyState(ctx context.Context) (s update.State, err error) {
	for began := time.Now(); time.Since(began) < readyTime; {
		s, err = p.state(ctx)
		late := errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil
		if err == nil && s.Ready || err != nil && !late {
			return s, err
		}
		select {
		case <-time.After(pollEvery):
		case <-ctx.Done():
			return s, ctx.Err()
		}
	}
	switch {
	case err != nil:
		return s, err
	case s.Trouble != "":
		return s, errors.New(s.Trouble)
	}
	return s, update.ErrNotReady
}

// Wait follows the update that is under way at a device, if there is one, to its end,
// and returns how the device does then. Of the options it needs no bundle.
func Wait(ctx context.Context, o Options) (update.State, error) {
	if o.Note == nil {
		o.Note = func(string) {}
	}
	p, err := open(o.Host, o.Password, o.dial)
	if err != nil {
		return update.State{}, err
	}
	w := watch{Options: o, pages: p, seen: time.Now()}
	return w.rest(ctx)
}

// lostError says that all of a bundle was sent and no answer came. The device may
// have taken it: one that starts again at once does not get to answer.
type lostError struct{ err error }

func (e *lostError) Error() string { return "send the update: " + e.err.Error() }

func (e *lostError) Unwrap() error { return e.err }

// upload sends the file. A lostError leaves open what became of it.
func (p *pages) upload(ctx context.Context, o Options) error {
	token, err := p.token(ctx, "/update")
	if err != nil {
		return err
	}
	f, err := os.Open(o.Bundle)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	head, tail, kind, err := around(token, filepath.Base(o.Bundle), o.Consent)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, uploadTime)
	defer cancel()
	file := &counter{r: f, total: info.Size(), report: o.Progress}
	body := io.MultiReader(bytes.NewReader(head), file, bytes.NewReader(tail))
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url("/update/bundle"), body)
	if err != nil {
		return err
	}
	req.ContentLength = int64(len(head)) + info.Size() + int64(len(tail))
	req.Header.Set("Content-Type", kind)
	status, _, _, err := p.do(req)
	switch {
	case status == http.StatusSeeOther:
		return nil
	case status != 0: // what the page says beyond that does not matter
		return p.refusal(ctx, status)
	case file.whole() && ctx.Err() == nil:
		return &lostError{err}
	}
	return fmt.Errorf("send the update: %w", err)
}

// refusal asks why an update was not taken.
func (p *pages) refusal(ctx context.Context, status int) error {
	s, err := p.state(ctx)
	if err == nil && s.Last != nil && s.Last.Outcome == update.Refused && status == http.StatusBadRequest {
		return errors.New("the device refuses the update: " + s.Last.Reason)
	}
	if status == http.StatusConflict {
		return errors.New("the device refuses the update: " + update.ErrBusy.Error())
	}
	return fmt.Errorf("the device refuses the update (%d)", status)
}

// around makes what stands before and behind the file in a form.
func around(token, name string, c update.Consent) (head, tail []byte, kind string, err error) {
	var out bytes.Buffer
	form := multipart.NewWriter(&out)
	fields := [][2]string{{"token", token}}
	if c.Older {
		fields = append(fields, [2]string{"older", "on"})
	}
	if c.Guard {
		fields = append(fields, [2]string{"guard", "on"})
	}
	for _, f := range fields {
		if err := form.WriteField(f[0], f[1]); err != nil {
			return nil, nil, "", err
		}
	}
	if _, err := form.CreateFormFile("bundle", name); err != nil {
		return nil, nil, "", err
	}
	n := out.Len()
	if err := form.Close(); err != nil {
		return nil, nil, "", err
	}
	return out.Bytes()[:n], out.Bytes()[n:], form.FormDataContentType(), nil
}

// counter tells how much of a file was read. After a failure the transport may still
// be reading.
type counter struct {
	r      io.Reader
	done   atomic.Int64
	total  int64
	report func(done, total int64)
}

func (c *counter) whole() bool { return c.done.Load() == c.total }

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	if done := c.done.Add(int64(n)); n > 0 && c.report != nil {
		c.report(done, c.total)
	}
	return n, err
}
