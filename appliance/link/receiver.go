package link

// receiver is the receiving half of a connection. It puts DATA into the
// program's buffer in order; the next one and the one after it are kept here
// while they cannot be put.
type receiver struct {
	next byte // number of kept[0]
	kept [window]kept
}

type kept struct {
	have bool
	n    int
	buf  [MaxData]byte
}

// data takes a DATA and returns the packet to answer it with; ok is false where
// there is nothing to say.
func (r *receiver) data(number byte, data []byte, put func([]byte) bool) (answer Packet, ok bool) {
	ahead := number - r.next
	if ahead >= 0x80 { // delivered before: its ACK got lost
		return r.ack(), true
	}
	if ahead >= window {
		return Packet{}, false
	}
	if k := &r.kept[ahead]; !k.have {
		k.have, k.n = true, copy(k.buf[:], data)
	}
	switch moved := r.flush(put); {
	case moved > int(ahead):
		return r.ack(), true
	case r.kept[0].have: // this one, or the one before it, finds no room
		return Packet{Kind: Wait, Number: number}, true
	case moved > 0:
		return r.ack(), true
	}
	return Packet{}, false // the one before it is missing
}

// flush puts what can be put, and returns how many DATA that were.
func (r *receiver) flush(put func([]byte) bool) (moved int) {
	for r.kept[0].have && put(r.kept[0].buf[:r.kept[0].n]) {
		r.kept[0] = r.kept[1]
		r.kept[1] = kept{}
		r.next++
		moved++
	}
	return moved
}

// ack says what is delivered.
func (r *receiver) ack() Packet { return Packet{Kind: Ack, Number: r.next - 1} }
