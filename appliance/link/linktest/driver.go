package linktest

import (
	"context"
	"io"
	"time"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/link/internal/duplex"
)

// state is where a connection is.
type state int

const (
	asking  state = iota // OPEN is sent every second
	open                 // DATA goes both ways
	leaving              // CLOSE was sent
)

// packet is a DATA in one of the two send buffers.
type packet struct {
	data  []byte
	again time.Time // when it is sent again
	full  bool      // the bridge had no room
}

// driver is the state machine of the C64's end, as the program has it: poll does
// what is due, receive takes one packet. It keeps one DATA that found no room and
// none that comes out of order.
type driver struct {
	port  link.Port
	cfg   Config
	conn  *duplex.Conn
	dec   link.Decoder
	state state
	err   error // why the connection ends

	expect byte   // number of the next DATA
	kept   []byte // that DATA, if there was no room

	send  [2]packet // indexed by the number's lowest bit
	first byte      // oldest number in use
	after byte      // next number to use

	heard, pinged time.Time
	asked         time.Time // the last OPEN
	left          time.Time // the program closed
}

func newDriver(port link.Port, cfg Config, conn *duplex.Conn) *driver {
	return &driver{port: port, cfg: cfg, conn: conn, heard: time.Now()}
}

// readPort is the interrupt and its ring.
func (d *driver) readPort(ctx context.Context, arrived chan<- []byte) {
	buf := make([]byte, 256)
	defer close(arrived)
	for {
		n, err := d.port.Read(buf)
		if n > 0 {
			select {
			case arrived <- append([]byte(nil), buf[:n]...):
			case <-ctx.Done():
				return
			}
		}
		if err != nil || ctx.Err() != nil {
			return
		}
	}
}

// put sends one packet.
func (d *driver) put(kind link.Kind, number byte, data []byte) {
	p := link.Packet{Kind: kind, Nonce: d.cfg.Nonce, Number: number, Data: data}
	if _, err := d.port.Write(p.AppendTo(nil)); err != nil && d.err == nil {
		d.err = err
	}
}

// receive takes a packet. Only the bridge's own are looked at.
func (d *driver) receive(p link.Packet, now time.Time) {
	if !p.Bridge {
		return // our own, sent back by the line
	}
	if p.Nonce != d.cfg.Nonce {
		switch p.Kind {
		case link.Data, link.Ack, link.Wait, link.Ping:
			q := link.Packet{Kind: link.Close, Nonce: p.Nonce}
			_, _ = d.port.Write(q.AppendTo(nil))
		}
		return
	}
	if d.state == asking {
		d.answered(p, now)
		return
	}
	d.heard, d.pinged = now, time.Time{}
	switch p.Kind {
	case link.Data:
		d.data(p)
	case link.Ack:
		if p.Number-d.first < d.after-d.first {
			d.first = p.Number + 1
		}
	case link.Wait:
		if p.Number-d.first < d.after-d.first {
			s := &d.send[p.Number&1]
			s.full, s.again = true, now.Add(againFull)
		}
	case link.Ping:
		d.put(link.Pong, 0, nil)
	case link.Close:
		if d.state == open {
			d.put(link.Close, 0, nil)
		}
		d.err = io.EOF
	}
}

// answered takes the bridge's answer to OPEN.
func (d *driver) answered(p link.Packet, now time.Time) {
	switch p.Kind {
	case link.Opened:
		d.state, d.heard = open, now
	case link.Busy:
		d.err = ErrBusy
	}
}

// data takes the next DATA, and says so of any older one again.
func (d *driver) data(p link.Packet) {
	switch {
	case p.Number == d.expect && d.kept != nil:
		d.put(link.Wait, p.Number, nil)
	case p.Number == d.expect:
		d.kept = append([]byte(nil), p.Data...)
		if !d.deliver() {
			d.put(link.Wait, p.Number, nil)
		}
	case d.expect-p.Number < 0x80:
		d.put(link.Ack, d.expect-1, nil)
	}
}

// deliver moves the kept DATA on, if there is room, and acknowledges it.
func (d *driver) deliver() bool {
	if d.kept == nil || !d.conn.Put(d.kept) {
		return false
	}
	d.kept = nil
	d.put(link.Ack, d.expect, nil)
	d.expect++
	return true
}
