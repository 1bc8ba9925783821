package rig

import (
	"fmt"
	"net"
	"time"

	"github.com/prompt64/prompt64/frames"
)

// Client is a bare connection to a bridge, with nothing between the socket and
// the frames.
type Client struct {
	net.Conn
	Frames *frames.Reader
	Token  frames.Token
}

// Answer is a message that can be decoded into.
type Answer interface {
	frames.Message
	Decode(frames.Frame) error
}

// Greet connects and says Hello.
func Greet(addr string) (*Client, error) {
	nc, err := net.DialTimeout("tcp", addr, patience)
	if err != nil {
		return nil, fmt.Errorf("greet: %w", err)
	}
	if err := nc.SetDeadline(time.Now().Add(10 * time.Minute)); err != nil {
		return nil, err
	}
	c := &Client{Conn: nc, Frames: frames.NewReader(nc, frames.ToC64)}
	if err := c.Ask(frames.Hello{}, new(frames.HelloOk)); err != nil {
		_ = nc.Close()
		return nil, err
	}
	return c, nil
}

// Attach greets and takes a fresh lease.
func Attach(addr string) (*Client, error) {
	c, err := Greet(addr)
	if err != nil {
		return nil, err
	}
	var state frames.LeaseState
	if err := c.Ask(frames.LeaseGet{}, &state); err != nil {
		_ = c.Close()
		return nil, err
	}
	c.Token = state.Token
	return c, nil
}

// Send writes one frame.
func (c *Client) Send(m frames.Message) error {
	if _, err := c.Write(m.AppendTo(nil)); err != nil {
		return fmt.Errorf("send %v: %w", m.Type(), err)
	}
	return nil
}

// Ask sends m and decodes the very next frame.
func (c *Client) Ask(m frames.Message, answer Answer) error {
	if err := c.Send(m); err != nil {
		return err
	}
	f, err := c.Frames.Next()
	if err != nil {
		return fmt.Errorf("answer to %v: %w", m.Type(), err)
	}
	if f.Type == frames.TypeError {
		return fmt.Errorf("answer to %v: the bridge says %q", m.Type(), f.Payload)
	}
	return answer.Decode(f)
}
