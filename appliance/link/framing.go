package link

// appendFrame appends a packet as it goes over the wire: its check is added,
// bytes that mean something to the line are escaped, and a flag stands before
// and behind, so that garbage in front cannot swallow it.
func appendFrame(dst, packet []byte) []byte {
	sum := ^fcs(fcsStart, packet)
	dst = append(dst, flag)
	for _, c := range packet {
		dst = appendEscaped(dst, c)
	}
	dst = appendEscaped(dst, byte(sum))
	dst = appendEscaped(dst, byte(sum>>8))
	return append(dst, flag)
}

func appendEscaped(dst []byte, c byte) []byte {
	switch c {
	case flag, escape, xon, xoff:
		return append(dst, escape, c^flip)
	}
	return append(dst, c)
}

// deframer finds frames in what comes from a line. Its memory is bounded by the
// largest packet.
type deframer struct {
	buf     [MaxPacket]byte
	n       int
	escaped bool
	bad     bool // too long, or the rest of something whose begin was not seen
}

// feed takes one byte and returns a whole packet, without its check, when that
// byte ended one that is right; nil otherwise. The packet is good until the next
// call.
//
// XON and XOFF are dropped where they are not escaped, as RFC 1662 4.2 asks:
// something on the line may have put them in.
func (d *deframer) feed(c byte) []byte {
	switch {
	case c == flag:
		return d.end()
	case c == xon, c == xoff:
		return nil
	case c == escape:
		d.escaped = true
		return nil
	case d.escaped:
		c ^= flip
		d.escaped = false
	}
	if d.n == len(d.buf) {
		d.bad = true
		return nil
	}
	d.buf[d.n] = c
	d.n++
	return nil
}

// end judges what came before a flag. A flag right behind an escape is the
// RFC's way to abort a packet.
func (d *deframer) end() []byte {
	packet, bad := d.buf[:d.n], d.bad || d.escaped
	d.n, d.bad, d.escaped = 0, false, false
	if bad || len(packet) < MinPacket || fcs(fcsStart, packet) != fcsGood {
		return nil
	}
	return packet[:len(packet)-2]
}
