package bridge

import (
	"errors"
	"io"
	"strings"
	"time"

	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/frames"
)

// greet leads a new connection to a lease. It returns nil when the connection
// is over before that.
func (c *conn) greet() *lease.Attachment {
	_ = c.nc.SetDeadline(time.Now().Add(c.server.tuning.handshake))
	switch err := c.readHello(); {
	case errors.Is(err, errNoHello):
		c.server.log.Debug("no greeting", "peer", c.addr)
		c.refuse(frames.ErrorVersion)
		return nil
	case err != nil:
		return nil
	}
	ok := frames.HelloOk{Major: frames.MajorVersion, Minor: frames.MinorVersion, Capabilities: frames.AllCapabilities}
	if c.send(ok) != nil {
		return nil
	}
	c.reader = frames.NewReader(c.nc, frames.ToBridge)
	for {
		f, err := c.reader.Next()
		if err != nil {
			if errors.Is(err, frames.ErrFraming) {
				c.refuse(frames.FaultWords(err, ""))
			}
			return nil
		}
		att, more := c.admit(f)
		if !more {
			return att
		}
	}
}

// errNoHello says that the first bytes are not the greeting.
var errNoHello = errors.New("bridge: not a greeting")

// readHello reads exactly the greeting's frame and judges every byte as it
// comes: whoever speaks something else is told at once and not after a time-out,
// and needs no buffer. Flags are ignored, as everywhere.
func (c *conn) readHello() error {
	want := frames.Hello{}.AppendTo(nil)
	got := make([]byte, len(want))
	for n := 0; n < len(want); {
		k, err := c.nc.Read(got[n:])
		for end := n + k; n < end; n++ {
			const flags = 1
			if n != flags && got[n] != want[n] {
				return errNoHello
			}
		}
		if err == nil && k == 0 {
			err = io.ErrNoProgress
		}
		if err != nil && n < len(want) {
			return err
		}
	}
	return nil
}

// admit handles one frame of a connection without a lease. more says that
// another one is awaited; otherwise att is the lease's, or nil when the
// connection is over.
func (c *conn) admit(f frames.Frame) (att *lease.Attachment, more bool) {
	switch f.Type {
	case frames.TypeHeartbeat:
		return nil, c.send(frames.HeartbeatAck{}) == nil
	case frames.TypePair:
		return nil, c.pair(f.Payload)
	case frames.TypeLeaseGet:
		return c.attach(func() (*lease.Attachment, error) { return c.server.leases.Get(c) }), false
	case frames.TypeReconnect:
		var req frames.Reconnect
		if err := req.Decode(f); err != nil {
			c.refuse(frames.FaultWords(err, "RECONNECT UNREADABLE"))
			return nil, false
		}
		return c.attach(func() (*lease.Attachment, error) {
			return c.server.leases.Reconnect(req.Token, req.Applied, c)
		}), false
	}
	c.refuse(frameName(f.Type) + " BEFORE A LEASE")
	return nil, false
}

// frameName names a request as the words of an Error do.
func frameName(t frames.Type) string {
	switch t {
	case frames.TypeUserText:
		return frames.ErrorPromptPrefix
	case frames.TypeApprovalDecision:
		return frames.ErrorDecisionWord
	}
	return strings.ToUpper(t.String())
}

// pair judges a pairing code; it reports whether the connection goes on.
func (c *conn) pair(code []byte) bool {
	if !c.isPaired() {
		switch c.server.pairing.try(c.ip, code, time.Now()) {
		case verdictWrong:
			c.server.log.Warn("wrong pairing code", "peer", c.addr)
			c.refuse(frames.ErrorNotPaired)
			return false
		case verdictLocked:
			c.server.log.Warn("locked out after wrong pairing codes", "peer", c.addr)
			c.refuse(frames.ErrorTryLater)
			return false
		case verdictPaired:
			c.paired = true
		}
	}
	return c.send(frames.PairState{}) == nil
}

func (c *conn) isPaired() bool {
	return c.paired || c.ip.IsValid() && c.server.pairing.allowed(c.ip) && !c.server.foreign(c.nc)
}

// attach asks for a lease on behalf of a connection that may have one.
func (c *conn) attach(ask func() (*lease.Attachment, error)) *lease.Attachment {
	if !c.isPaired() {
		c.server.log.Warn("not paired", "peer", c.addr)
		c.refuse(c.whyNotPaired())
		return nil
	}
	c.sample()
	c.signs.seen(time.Now())
	att, err := ask()
	if err != nil {
		c.server.log.Info("no lease", "peer", c.addr, "err", err)
		c.refuse(refusal(err))
		return nil
	}
	_ = c.nc.SetDeadline(time.Time{})
	c.server.waiting.remove(c)
	c.attached.Store(true)
	return att
}

func (c *conn) whyNotPaired() string {
	if c.server.pairing.locked(c.ip, time.Now()) {
		return frames.ErrorTryLater
	}
	return frames.ErrorNotPaired
}

// refusal returns the words for an error of the lease table.
func refusal(err error) string {
	if fault := (*lease.Fault)(nil); errors.As(err, &fault) {
		return fault.Text
	}
	return "BRIDGE CANNOT GIVE A LEASE NOW"
}
