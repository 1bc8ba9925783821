package ultimate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"sync"
	"time"
)

// Client talks to the REST APIs of devices. The zero Client is ready.
type Client struct {
	// Networks are those whose devices may be spoken to; nil: [Networks].
	Networks func() ([]Network, error)
	// Port is the REST API's; 0: 80.
	Port uint16
	// Pause waits between two tries of a busy device; nil: it waits.
	Pause func(ctx context.Context, d time.Duration) error

	mu    sync.Mutex
	turns map[netip.Addr]chan struct{} // one request at a time
}

// request is one request to a device.
type request struct {
	method, path string // the path is escaped already
	body         []byte
	timeout      time.Duration
}

// answer is what came back. Nothing in it is trusted.
type answer struct {
	status int
	body   []byte
	own    netip.Addr
}

// errSent marks a failure after which the device may have got the whole request.
var errSent = errors.New("the request was sent")

// check reports whether a device may be spoken to.
func (c *Client) check(d Device) error {
	list := c.Networks
	if list == nil {
		list = Networks
	}
	networks, err := list()
	if err != nil {
		return err
	}
	if !local(d.Address, networks) {
		return notLocal(d.Address.String())
	}
	return nil
}

// take waits until nobody else talks to a device.
func (c *Client) take(ctx context.Context, addr netip.Addr) (release func(), err error) {
	c.mu.Lock()
	if c.turns == nil {
		c.turns = make(map[netip.Addr]chan struct{})
	}
	turn := c.turns[addr]
	if turn == nil {
		turn = make(chan struct{}, 1)
		c.turns[addr] = turn
	}
	c.mu.Unlock()
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for the Ultimate's turn: %w", context.Cause(ctx))
	}
}

// ask sends a request, and again while the device says that it is busy.
func (c *Client) ask(ctx context.Context, d Device, r request) (answer, error) {
	for try := 1; ; try++ {
		a, err := c.once(ctx, d, r)
		if err != nil {
			return answer{}, err
		}
		// 423: another request or the menu has the machine; 503 with a REST API
		// is one that has not started all of itself yet.
		if a.status != http.StatusLocked && a.status != http.StatusServiceUnavailable {
			return a, a.refusal(d)
		}
		if try == busyTries {
			return answer{}, busy
		}
		if err := c.pause(ctx, busyPause); err != nil {
			return answer{}, err
		}
	}
}

func (c *Client) pause(ctx context.Context, d time.Duration) error {
	if c.Pause != nil {
		return c.Pause(ctx, d)
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// once sends a request once, in its turn.
func (c *Client) once(ctx context.Context, d Device, r request) (answer, error) {
	if err := c.check(d); err != nil {
		return answer{}, err
	}
	release, err := c.take(ctx, d.Address)
	if err != nil {
		return answer{}, err
	}
	defer release()
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	return c.exchange(ctx, d, r)
}

func (c *Client) exchange(ctx context.Context, d Device, r request) (a answer, err error) {
	port := c.Port
	if port == 0 {
		port = restPort
	}
	target := netip.AddrPortFrom(d.Address, port).String()
	sent := false
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) {
			sent = true // from here on nobody knows how much has arrived
			if local, ok := i.Conn.LocalAddr().(*net.TCPAddr); ok {
				a.own = local.AddrPort().Addr().Unmap()
			}
		},
	})
	req, err := http.NewRequestWithContext(ctx, r.method, "http://"+target+r.path, bytes.NewReader(r.body))
	if err != nil {
		return answer{}, fmt.Errorf("ask Ultimate: %w", err)
	}
	// Always, even if there is none: the firmware compares the header without
	// looking whether it is there (routes of the REST API, password check).
	req.Header.Set("X-Password", d.Password.Reveal())
	if r.body != nil {
		req.Header.Set("Content-Type", "application/octet-stream")
	}
	transport := transportTo(target)
	defer transport.CloseIdleConnections()
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return answer{}, failed(sent, err)
	}
	defer resp.Body.Close()
	a.status = resp.StatusCode
	if a.body, err = io.ReadAll(io.LimitReader(resp.Body, maxBody+1)); err != nil {
		return answer{}, failed(true, err)
	}
	if len(a.body) > maxBody {
		return answer{}, strange("its answer has no end")
	}
	return a, nil
}

// transportTo makes connections to target and to nothing else. A round trip of it
// follows no redirect, and it uses no proxy.
func transportTo(target string) *http.Transport {
	dialer := &net.Dialer{Timeout: dialTimeout}
	return &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, "tcp4", target)
		},
		DisableKeepAlives:      true, // the device closes after each answer anyhow
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHeader,
	}
}

// failed keeps of an error of the transport what is safe and of use: it has no text
// of the request's in it, such as a header.
func failed(sent bool, err error) error {
	if sent {
		return fmt.Errorf("ask Ultimate: %w: %w", errSent, err)
	}
	return fmt.Errorf("ask Ultimate: %w", err)
}

// refusal is what a status means whatever was asked.
func (a answer) refusal(d Device) error {
	switch {
	case a.status == http.StatusForbidden && d.Password.Empty(), a.status == http.StatusUnauthorized && d.Password.Empty():
		return passwordNeeded
	case a.status == http.StatusForbidden, a.status == http.StatusUnauthorized:
		return passwordWrong
	case a.status >= 300 && a.status < 400:
		return strange("it sends us elsewhere")
	}
	return nil
}

// ok reports a success. The list of errors in an answer does not count for it:
// older firmware puts "All Okay" there.
func (a answer) ok() bool { return a.status >= 200 && a.status < 300 }

// words are the errors that an answer lists.
func (a answer) words() string {
	var v struct {
		Errors []string `json:"errors"`
	}
	if json.Unmarshal(a.body, &v) != nil || len(v.Errors) == 0 {
		return ""
	}
	return clean(v.Errors[0])
}

// decode reads an answer's JSON.
func (a answer) decode(v any) error {
	if err := json.Unmarshal(a.body, v); err != nil {
		return strange("its answer is not the JSON that was asked for")
	}
	return nil
}
