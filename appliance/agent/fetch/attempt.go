package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/prompt64/prompt64/appliance/guarded"
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
	watchdog := guarded.AfterFunc(stall, "stalled download", func() {
		cancel(fmt.Errorf("the server was silent for %v", stall))
	}, nil)
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

// causeOf prefers the watchdog's words to "context canceled".
func causeOf(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return context.Cause(ctx)
}
