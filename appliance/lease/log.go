package lease

import (
	"slices"

	"github.com/prompt64/prompt64/frames"
)

// retained is the log of a lease: the encoded frames of the current turn, and
// those of the turn before that the attached connection has not written yet.
// A position counts frames ever logged, so it stays valid when older frames are
// dropped; sequences wrap, positions do not.
type retained struct {
	buf   []byte
	ends  []int  // where each frame ends in buf
	first uint64 // position of the first frame in buf
	last  uint16 // last sequence assigned; 0 before the first
}

// upcoming is the sequence of the next frame.
func (r *retained) upcoming() uint16 { return r.last + 1 }

// end is the position behind the last frame.
func (r *retained) end() uint64 { return r.first + uint64(len(r.ends)) }

// size is how many bytes are retained.
func (r *retained) size() int { return len(r.buf) }

// add logs m, which carries the upcoming sequence. It refuses a frame that would
// cross the limit, unless it may use the reserve.
func (r *retained) add(m frames.Message, reserve bool) bool {
	had := len(r.buf)
	r.buf = m.AppendTo(r.buf)
	if len(r.buf) > frames.MaxRetained && !reserve {
		r.buf = r.buf[:had]
		return false
	}
	r.ends = append(r.ends, len(r.buf))
	r.last++
	return true
}

// at is the frame at a position between first and end; it is good until the
// log changes.
func (r *retained) at(pos uint64) []byte {
	i := int(pos - r.first)
	from := 0
	if i > 0 {
		from = r.ends[i-1]
	}
	return r.buf[from:r.ends[i]]
}

// sequence is that of the frame at a position.
func (r *retained) sequence(pos uint64) uint16 { return r.last - uint16(r.end()-1-pos) }

// newer is the position of the first retained frame that a C64 which applied
// the given sequence has not seen; end if there is none.
func (r *retained) newer(applied uint16) uint64 {
	for pos := r.first; pos < r.end(); pos++ {
		if frames.Newer(r.sequence(pos), applied) {
			return pos
		}
	}
	return r.end()
}

// holds reports whether the frame of a sequence is retained.
func (r *retained) holds(seq uint16) bool {
	back := r.last - seq
	return int(back) < len(r.ends)
}

// dropTurn drops the frames of the turn before a new one, except those not yet
// written to the attached connection. A C64 may answer the end of a turn before
// the writer is back from sending it; that frame goes when the writer is.
func (l *lease) dropTurn() {
	f := l.feed
	if f == nil {
		l.log.drop(l.log.end())
		return
	}
	l.log.drop(f.firstUnwritten())
	f.stale = f.unwritten && f.cursor == l.log.end()
}

// drop forgets the frames before a position.
func (r *retained) drop(before uint64) {
	n := int(min(before, r.end()) - r.first)
	if n <= 0 {
		return
	}
	cut := r.ends[n-1]
	r.buf = append(r.buf[:0], r.buf[cut:]...)
	r.ends = slices.Delete(r.ends, 0, n)
	for i := range r.ends {
		r.ends[i] -= cut
	}
	r.first += uint64(n)
}
