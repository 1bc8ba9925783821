package bridge

import (
	"errors"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/hang"
	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/frames"
)

// converse carries frames between the connection and its lease until either
// ends. It is the reader; the writer runs beside it.
func (c *conn) converse(att *lease.Attachment) {
	c.server.log.Info("attached", "peer", c.addr)
	written := make(chan struct{})
	guarded.Go("bridge writer", func() {
		defer close(written)
		c.write(att)
	}, c.broke)
	defer c.conversed(att, written)
	if faulty := c.read(att); faulty {
		// The words wait behind replies that a slow C64 may not take.
		_ = c.nc.SetWriteDeadline(time.Now().Add(c.server.tuning.lastWord))
		<-written
		c.attached.Store(false)
		att.Detach()
		c.discard()
	}
}

// conversed lets the lease go, whatever ended the reader.
func (c *conn) conversed(att *lease.Attachment, written <-chan struct{}) {
	c.attached.Store(false)
	att.Detach()
	c.server.log.Info("detached", "peer", c.addr)
	_ = c.nc.Close()
	<-written
}

// broke cuts this connection and no other: its C64 comes back to its lease.
func (c *conn) broke(err error) {
	cut(c.nc)
	c.server.log.Error("connection cut after a fault of the bridge", "peer", c.addr, "err", err)
}

// read hands frames to the lease until the connection ends; faulty says that it
// ended with a fault of the peer, whose Error frame the writer sends.
func (c *conn) read(att *lease.Attachment) (faulty bool) {
	for {
		hang.Here("bridge reader")
		f, err := c.reader.Next()
		if errors.Is(err, frames.ErrFraming) {
			att.Fail(frames.FaultWords(err, "FRAME UNREADABLE"))
			return true
		}
		if err != nil {
			return false
		}
		c.signs.seen(time.Now())
		if att.Request(f) != nil {
			return true
		}
	}
}

// write sends what the lease has for this C64, one frame at a time. A write may
// block for as long as the C64's window is closed.
func (c *conn) write(att *lease.Attachment) {
	buf := make([]byte, 0, frames.MaxFrameToC64)
	for {
		hang.Here("bridge writer")
		frame, err := att.Next(buf[:0])
		if err != nil {
			c.endWriting(att, err)
			return
		}
		if _, err := c.nc.Write(frame); err != nil {
			cut(c.nc)
			return
		}
	}
}

// endWriting closes the connection in the manner that the reason asks for. The
// lease is let go before the peer can see the end, so that it may reconnect then.
func (c *conn) endWriting(att *lease.Attachment, reason error) {
	att.Detach()
	c.attached.Store(false)
	switch {
	case errors.Is(reason, lease.ErrReleased), errors.Is(reason, lease.ErrFault):
		if oldest := c.server.waiting.add(c); oldest != nil {
			cut(oldest.nc)
		}
		c.hangUp()
	case errors.Is(reason, lease.ErrPileUp):
		c.server.log.Info("peer asks and does not read, connection closed", "peer", c.addr)
		cut(c.nc)
	default:
		_ = c.nc.Close()
	}
}
