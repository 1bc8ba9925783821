package link

import (
	"fmt"
)

// Kind says what a packet is. The direction is not part of it.
type Kind byte

// The kinds of packets.
const (
	Open   Kind = iota + 1 // the C64 opens a connection
	Opened                 // the bridge accepts it
	Data                   // bytes of the stream
	Ack                    // everything up to a number is delivered
	Close                  // the connection ends
	Busy                   // the bridge can take no connection
	Ping                   // asks for a Pong
	Pong                   // says that the end is alive
	Wait                   // a Data arrived and found no room
)

var kindNames = [...]string{"", "OPEN", "OPENED", "DATA", "ACK", "CLOSE", "BUSY", "PING", "PONG", "WAIT"}

// String is the specification's name of the kind.
func (k Kind) String() string {
	if k >= Open && k <= Wait {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %02X", byte(k))
}

// fromBridge is the bit of the first byte that tells who sent a packet, so that
// a line's echo cannot be taken for an answer.
const fromBridge = 0x80

// Packet is one packet of the link.
type Packet struct {
	Kind   Kind
	Bridge bool   // the bridge sent it
	Nonce  uint16 // names the connection
	Number byte   // Data, Ack and Wait: of the Data; Open: the link version
	Data   []byte // Data alone: 1 to MaxData bytes
}

// numbered says whether packets of a kind have the byte behind the nonce.
func (k Kind) numbered() bool { return k == Open || k == Data || k == Ack || k == Wait }

// AppendTo appends the packet as it goes over the wire, flags and all.
func (p Packet) AppendTo(dst []byte) []byte {
	var buf [MaxPacket]byte
	kind := byte(p.Kind)
	if p.Bridge {
		kind |= fromBridge
	}
	raw := append(buf[:0], kind, byte(p.Nonce), byte(p.Nonce>>8))
	if p.Kind.numbered() {
		raw = append(raw, p.Number)
	}
	if p.Kind == Data {
		raw = append(raw, p.Data...)
	}
	return appendFrame(dst, raw)
}

// parse reads a packet whose check was right; ok is false for what the
// specification does not know.
func parse(raw []byte) (p Packet, ok bool) {
	if len(raw) < 3 {
		return p, false
	}
	p.Kind, p.Bridge = Kind(raw[0]&^fromBridge), raw[0]&fromBridge != 0
	if p.Kind < Open || p.Kind > Wait {
		return p, false
	}
	p.Nonce = uint16(raw[1]) | uint16(raw[2])<<8
	rest := raw[3:]
	if p.Kind.numbered() {
		if len(rest) == 0 {
			return p, false
		}
		p.Number, rest = rest[0], rest[1:]
	}
	if p.Kind == Data {
		p.Data = rest
		return p, len(rest) >= 1 && len(rest) <= MaxData
	}
	return p, len(rest) == 0
}

// Decoder finds packets in the bytes of a line. Everything that is none is
// dropped in silence; its zero value is ready.
type Decoder struct{ frames deframer }

// Feed takes bytes and hands every packet that they complete to got. A packet's
// Data is good during the call alone.
func (d *Decoder) Feed(b []byte, got func(Packet)) {
	for _, c := range b {
		raw := d.frames.feed(c)
		if raw == nil {
			continue
		}
		if p, ok := parse(raw); ok {
			got(p)
		}
	}
}
