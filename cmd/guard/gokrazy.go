package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// gokrazy is the init's interface on a socket.
type gokrazy struct {
	socket string
	path   string // of the program that is watched
}

func (g gokrazy) client() *http.Client {
	return &http.Client{
		Timeout: gokrazyTime,
		Transport: &http.Transport{
			DisableKeepAlives: true,
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, "unix", g.socket)
			},
		},
		// The answer to a form sends a browser to a page that is not wanted.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func (g gokrazy) do(req *http.Request) (*http.Response, error) {
	res, err := g.client().Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask gokrazy: %w", err)
	}
	if res.StatusCode >= http.StatusBadRequest {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 256))
		_ = res.Body.Close()
		return nil, fmt.Errorf("ask gokrazy: %s: %s", res.Status, strings.TrimSpace(string(text)))
	}
	return res, nil
}

// status tells the program's process, 0 if there is none, and a token for forms.
func (g gokrazy) status(ctx context.Context) (pid int, token *http.Cookie, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://gokrazy/status?"+url.Values{"path": {g.path}}.Encode(), nil)
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Accept", "application/json")
	res, err := g.do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	var s struct{ Pid int }
	if err := json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(&s); err != nil {
		return 0, nil, fmt.Errorf("ask gokrazy: %w", err)
	}
	for _, c := range res.Cookies() {
		if c.Name == "gokrazy_xsrf" {
			token = c
		}
	}
	return s.Pid, token, nil
}

// restart has the program started again; kill does not ask it first.
func (g gokrazy) restart(ctx context.Context, kill bool) error {
	_, token, err := g.status(ctx)
	if err != nil {
		return err
	}
	if token == nil {
		return errors.New("ask gokrazy: it gave no token for a restart")
	}
	form := url.Values{"path": {g.path}, "xsrftoken": {token.Value}}
	if kill {
		form.Set("signal", "kill")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://gokrazy/restart", strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.AddCookie(&http.Cookie{Name: token.Name, Value: token.Value})
	res, err := g.do(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}

// reboot asks for an orderly reboot.
func (g gokrazy) reboot(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://gokrazy/reboot?kexec=off&async=true&wait_per_signal=10s", nil)
	if err != nil {
		return err
	}
	res, err := g.do(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}

// errors returns what gokrazy has of the program's standard error. The stream
// has no end, so ctx bounds it.
func (g gokrazy) errors(ctx context.Context) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://gokrazy/log?"+url.Values{"path": {g.path}, "stream": {"stderr"}}.Encode(), nil)
	if err != nil {
		return nil, err
	}
	res, err := g.do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(res.Body, 1<<20)) // cut off by ctx
	return text, nil
}
