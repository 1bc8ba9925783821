package lease

import (
	"sync/atomic"

	"github.com/prompt64/prompt64/frames"
)

// Attachment is one connection's hold on a lease. Request, Fail and Detach are
// called by the connection's reader, Next by its one writer.
type Attachment struct {
	lease *lease
	link  Link
	pull  pull // reused by every Next
	brake brake
	// dead is set in the moment in which the table takes the lease away, so
	// that what the connection still sends is dropped.
	dead atomic.Bool
}

func newAttachment(l *lease, link Link) *Attachment {
	return &Attachment{lease: l, link: link, pull: pull{reply: make(chan pulled, 1)}, brake: newBrake()}
}

// Token is the lease's token.
func (a *Attachment) Token() frames.Token { return a.lease.token }

// ID names the lease in logs and pages; it is no secret.
func (a *Attachment) ID() int { return a.lease.id }

// Request hands one frame to the lease; the payload is copied. Frames are taken
// in the order of the calls. It never waits for the provider or for git; it holds up a C64 that
// asks faster than it reads, see brake. A framing fault is returned; its Error frame is queued already
// as the connection's last (see Fail), so the caller only stops to read.
// Requests on an attachment that is no longer current are dropped and return
// nil.
func (a *Attachment) Request(f frames.Frame) error {
	f.Payload = append([]byte(nil), f.Payload...)
	req, err := frames.Decode(frames.ToBridge, f)
	m := message{att: a, req: req}
	if err != nil {
		words := frames.FaultWords(err, f.Type.String())
		if isFraming(err) {
			a.Fail(words)
			return err
		}
		m.req = refused{words}
	}
	a.lease.send(m)
	a.brake.hold(a.lease.stopped)
	return nil
}

// Fail ends the connection with words: text becomes an Error frame behind the
// short replies that are queued, Next hands it out, and then returns ErrFault.
// The bridge uses it for faults that it finds itself, such as a length above the
// limit. The lease detaches when the caller calls Detach.
func (a *Attachment) Fail(text string) { a.lease.send(message{att: a, fail: text}) }

// Next waits until a frame can go out, appends it to dst and returns it. The
// call after it takes the frame for written. It returns an error when nothing
// more will come: ErrReleased, ErrFault, ErrDetached or ErrPileUp.
func (a *Attachment) Next(dst []byte) ([]byte, error) {
	a.pull.dst = dst
	if !a.lease.send(message{att: a, pull: &a.pull}) {
		return dst, ErrDetached
	}
	select {
	case r := <-a.pull.reply:
		return r.frame, r.err
	case <-a.lease.stopped:
	}
	select { // the last answer may have come in the same moment
	case r := <-a.pull.reply:
		return r.frame, r.err
	default:
		return dst, ErrDetached
	}
}

// Detach tells that the transport failed or was closed. It may be called more
// than once, and also after the lease has left this attachment for another.
func (a *Attachment) Detach() { a.lease.table.detach(a) }
