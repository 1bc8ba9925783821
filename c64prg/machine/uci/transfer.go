package uci

import (
	"encoding/binary"
	"fmt"
)

const noCount = 0xffff

func counted(n int, data []byte) []byte {
	return append(binary.LittleEndian.AppendUint16(nil, uint16(n)), data...)
}

func noData(errno int) reply {
	return reply{data: counted(noCount, nil), status: fmt.Sprintf(fmtNoData, errno)}
}

// read is READ: it answers with what is there, or waits for the firmware's
// time-out.
func (d *Device) read(n, ask int, now uint64) op {
	p := d.cfg.Profile
	if ask > p.MaxAsk {
		return answer(stRange)
	}
	if ask > p.SafeAsk {
		d.cfg.Violate(fmt.Sprintf("uci: READ of %d bytes: firmware %s overruns its buffer beyond %d", ask, p.Name, p.SafeAsk))
	}
	s := d.socket(n)
	if s == nil {
		return func(uint64) (reply, bool) { return noData(eBADF), true }
	}
	if ask == 0 {
		d.cfg.Violate("uci: READ of 0 bytes: the firmware closes the socket")
		d.release(n)
		return answer(stClosed, 0, 0)
	}
	late := now + d.cycles(p.ReadTimeout)
	d.isRead = true
	return func(now uint64) (reply, bool) {
		if r, ok := d.receive(s, ask, now); ok {
			d.isRead = false
			return r, true
		}
		d.waits = !s.conn.inHole()
		if now >= late {
			d.isRead = false
			return noData(eAGAIN), true
		}
		return reply{}, false
	}
}

// receive answers a READ if there is anything to answer: bytes, the end, or an
// error. Bytes that arrived before it are read first.
func (d *Device) receive(s *sock, ask int, now uint64) (reply, bool) {
	d.pull(s, now)
	if data := s.recv(ask, now); len(data) > 0 {
		return d.blocks(data), true
	}
	if len(s.chunks) > 0 {
		return reply{}, false
	}
	end, errno := s.conn.ended(now)
	switch {
	case errno != 0 && s.reset:
		return noData(eNOTCONN), true
	case errno != 0:
		s.reset = true
		return noData(errno), true
	case end:
		d.release(s.number)
		return reply{data: counted(0, nil), status: stClosed}, true
	}
	return reply{}, false
}

// blocks cuts a long reply as new firmware does.
func (d *Device) blocks(data []byte) reply {
	if !d.cfg.Profile.Blocks || len(data) <= firstBlock {
		return reply{data: counted(len(data), data), status: stOK}
	}
	r := reply{data: counted(len(data), data[:firstBlock]), status: stOK}
	for rest := data[firstBlock:]; len(rest) > 0; {
		n := min(len(rest), nextBlock)
		r.more = append(r.more, rest[:n])
		rest = rest[n:]
	}
	return r
}

// write is WRITE: it blocks until everything is in the send buffer.
func (d *Device) write(n int, data []byte, now uint64) op {
	s := d.socket(n)
	if s == nil {
		return answer(fmt.Sprintf(fmtSend, eBADF), 0xff, 0xff)
	}
	if k := d.faults.short; k > 0 && k < len(data) {
		d.faults.short = 0
		data = data[:k]
	}
	total, start := len(data), now
	return func(now uint64) (reply, bool) {
		if _, errno := s.conn.ended(now); errno != 0 {
			if s.reset {
				errno = eNOTCONN
			}
			s.reset = true
			return reply{data: counted(noCount, nil), status: fmt.Sprintf(fmtSend, errno)}, true
		}
		data = data[s.conn.send(data, now):]
		if len(data) > 0 {
			return reply{}, false
		}
		s.wrote, s.seen, s.expects = start, s.conn.arrived.Load(), total > 0
		return reply{data: counted(total, nil), status: stOK}, true
	}
}
