package ultimate

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"syscall"
)

// Look asks a device what it is and whether its command interface is on. What keeps
// it from being used is the Found's Trouble; an error is only an end of ctx.
func (c *Client) Look(ctx context.Context, d Device) (Found, error) {
	return c.look(ctx, d, Identity{Address: d.Address})
}

// look completes what a device said of itself by UDP, if it did.
func (c *Client) look(ctx context.Context, d Device, id Identity) (Found, error) {
	f := Found{Identity: id}
	// Without a password a request is for nothing, and the firmware's check of a
	// missing one is not to be trusted.
	if id.Protected && d.Password.Empty() {
		f.Trouble = passwordNeeded
		return f, nil
	}
	err := c.inspect(ctx, d, &f)
	switch {
	case err == nil:
		return f, nil
	case ctx.Err() != nil:
		return f, context.Cause(ctx)
	}
	f.Trouble = c.trouble(err)
	if f.Trouble.Code == Unreachable && f.Product != "" {
		f.Trouble = serviceOff // it has answered by UDP
	}
	return f, nil
}

func (c *Client) inspect(ctx context.Context, d Device, f *Found) error {
	a, err := c.read(ctx, d, "/v1/info")
	if err != nil {
		return err
	}
	f.Own = a.own
	switch {
	case a.ok():
		var t told
		if err := a.decode(&t); err != nil {
			return err
		}
		if t.Product == "" {
			return strange("it does not say what it is")
		}
		f.fill(t.identity())
	case a.status == http.StatusNotFound: // 3.11 has no info yet
		if a, err = c.read(ctx, d, "/v1/version"); err != nil {
			return err
		}
		if !a.ok() || a.decode(&struct{ Version string }{}) != nil {
			return oldFirmware
		}
	default:
		return refused(a.status, a.words())
	}
	item, err := c.commandInterface(ctx, d)
	if err != nil {
		return err
	}
	if f.Interface = item.state; item.state != On {
		return interfaceOff
	}
	return nil
}

// read asks for something that changes nothing, once more if the connection broke.
func (c *Client) read(ctx context.Context, d Device, path string) (answer, error) {
	r := request{method: http.MethodGet, path: path, timeout: lookTimeout}
	a, err := c.ask(ctx, d, r)
	if errors.Is(err, errSent) && ctx.Err() == nil && !timedOut(err) {
		a, err = c.ask(ctx, d, r)
	}
	return a, err
}

// trouble turns an error of a request into words.
func (c *Client) trouble(err error) *Trouble {
	var t *Trouble
	switch {
	case errors.As(err, &t):
		return t
	case strings.Contains(err.Error(), "malformed HTTP"):
		return strange("it speaks no HTTP")
	case errors.Is(err, errSent):
		return lost
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH), timedOut(err):
		return unreachable
	}
	return lost
}

func timedOut(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout() || errors.Is(err, context.DeadlineExceeded)
}
