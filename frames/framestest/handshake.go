package framestest

import (
	"fmt"
	"net"

	"github.com/prompt64/prompt64/frames"
)

// handshake asks and waits, before there is a lease and anything asynchronous.
type handshake struct {
	c    *Client
	conn net.Conn
	rd   *frames.Reader
}

// reply is a message that an answer can be decoded into.
type reply interface {
	frames.Message
	Decode(frames.Frame) error
}

// ask sends m and decodes the next frame into answer; an Error frame is a
// *Refused.
func (h *handshake) ask(m frames.Message, answer reply) error {
	if _, err := h.conn.Write(m.AppendTo(nil)); err != nil {
		return fmt.Errorf("%w: %v: %w", ErrLinkLost, m.Type(), err)
	}
	f, err := h.rd.Next()
	if err != nil {
		return fmt.Errorf("%w: after %v: %w", ErrLinkLost, m.Type(), err)
	}
	if f.Type == frames.TypeError {
		refused := &Refused{string(f.Payload)}
		h.c.mu.Lock()
		h.c.errors = append(h.c.errors, refused.Text)
		h.c.mu.Unlock()
		return refused
	}
	if err := answer.Decode(f); err != nil {
		h.c.mu.Lock()
		h.c.violate("answer to %v: %v", m.Type(), err)
		h.c.mu.Unlock()
		return fmt.Errorf("framestest: answer to %v: %w", m.Type(), err)
	}
	return nil
}

// lease takes the lease up again, or asks for a fresh one.
func (h *handshake) lease(l *link) error {
	c := h.c
	c.mu.Lock()
	has, token, applied := c.hasLease, c.token, c.applied
	c.mu.Unlock()
	if !has {
		var st frames.LeaseState
		if err := h.ask(frames.LeaseGet{}, &st); err != nil {
			return err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.token, c.hasLease, c.released = st.Token, true, false
		c.applied, c.base = 0, 0
		c.prefsDue, l.replayed = true, true
		return nil
	}
	var st frames.ReconnectState
	if err := h.ask(frames.Reconnect{Token: token, Applied: applied}, &st); err != nil {
		if r, ok := err.(*Refused); ok && r.Text == frames.ErrorLeaseExpired {
			return c.expire(err)
		}
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if st.Token != token {
		c.violate("ReconnectState has another token")
	}
	c.resumed(st, applied)
	return nil
}
