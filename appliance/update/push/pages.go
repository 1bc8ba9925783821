package push

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/prompt64/prompt64/appliance/update"
)

// pages are the device's pages, as a browser sees them.
type pages struct {
	base     *url.URL
	password string
	web      http.Client
}

// Errors that end the whole.
var (
	// ErrPassword says that the device has another password.
	ErrPassword = errors.New("that is not the device's password")
	// ErrNoPassword says that the device was not set up.
	ErrNoPassword = errors.New("the device has no password yet: open its pages in a browser and set one")
	// ErrNotADevice says that what answers cannot be updated.
	ErrNotADevice = errors.New("what answers there cannot be updated: it is no Prompt64 device, or an older one")
)

// answerTime is how long a page may take.
const answerTime = 30 * time.Second

// maxPage is more than any page has.
const maxPage = 4 << 20

func open(host, password string, dial func(ctx context.Context, network, addr string) (net.Conn, error)) (*pages, error) {
	base, err := url.Parse(host)
	if err != nil || base.Host == "" {
		base, err = url.Parse("http://" + host)
	}
	if err != nil || base.Hostname() == "" {
		return nil, fmt.Errorf("%q is no host, such as prompt64.local or 192.168.1.64", host)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	p := &pages{base: &url.URL{Scheme: base.Scheme, Host: base.Host}, password: password}
	p.web = http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     &http.Transport{DisableKeepAlives: true, DialContext: dial}, // the device starts again meanwhile
	}
	return p, nil
}

func (p *pages) url(path string) string { return p.base.JoinPath(path).String() }

// do sends a request and reads all of the answer.
func (p *pages) do(req *http.Request) (status int, to string, body []byte, err error) {
	res, err := p.web.Do(req)
	if err != nil {
		return 0, "", nil, err
	}
	defer res.Body.Close()
	body, err = io.ReadAll(io.LimitReader(res.Body, maxPage))
	return res.StatusCode, res.Header.Get("Location"), body, err
}

func (p *pages) get(ctx context.Context, path string) (status int, to string, body []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url(path), nil)
	if err != nil {
		return 0, "", nil, err
	}
	return p.do(req)
}

// form sends a form; the token is that of another page.
func (p *pages) form(ctx context.Context, path, token string, values url.Values) (status int, to string, body []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	if values == nil {
		values = url.Values{}
	}
	values.Set("token", token)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url(path), strings.NewReader(values.Encode()))
	if err != nil {
		return 0, "", nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return p.do(req)
}

// tokenField is where a page has the token of its forms.
var tokenField = regexp.MustCompile(`name="token" value="([^"]+)"`)

// token reads a page that has a form.
func (p *pages) token(ctx context.Context, path string) (string, error) {
	status, to, body, err := p.get(ctx, path)
	if err != nil {
		return "", err
	}
	if to == "/welcome" {
		return "", ErrNoPassword
	}
	found := tokenField.FindSubmatch(body)
	if status != http.StatusOK || found == nil {
		return "", ErrNotADevice
	}
	return string(found[1]), nil
}

// signIn signs in.
func (p *pages) signIn(ctx context.Context) error {
	if _, to, _, err := p.get(ctx, "/update"); err != nil || to == "" {
		return err // signed in already, or away
	}
	token, err := p.token(ctx, "/signin")
	if err != nil {
		return err
	}
	status, _, _, err := p.form(ctx, "/signin", token, url.Values{"password": {p.password}})
	switch {
	case err != nil:
		return err
	case status == http.StatusTooManyRequests:
		return errors.New("the device saw too many wrong passwords; wait a few minutes")
	case status == http.StatusForbidden:
		return ErrPassword
	case status != http.StatusSeeOther:
		return ErrNotADevice
	}
	return nil
}

// state asks how the update does. It signs in where that is needed, since the
// device forgets who was signed in when it starts again.
func (p *pages) state(ctx context.Context) (s update.State, err error) {
	for range 2 {
		status, _, body, err := p.get(ctx, "/update/state.json")
		switch {
		case err != nil:
			return s, err
		case status == http.StatusOK:
			return s, json.Unmarshal(body, &s)
		case status != http.StatusSeeOther:
			return s, ErrNotADevice
		}
		if err := p.signIn(ctx); err != nil {
			return s, err
		}
	}
	return s, ErrNotADevice
}
