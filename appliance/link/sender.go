package link

import "time"

// sent is a DATA that is not acknowledged.
type sent struct {
	data   []byte
	buf    [MaxData]byte
	due    time.Time // when it is to be sent, again or at all
	tries  int       // how often it was sent while the peer could take it
	paused bool      // the peer said WAIT
}

// sender is the sending half of a connection: at most two DATA are outstanding,
// and each is sent again until the peer has it.
type sender struct {
	first  byte // number of out[0]
	n      int  // how many of out are in use
	out    [window]sent
	narrow bool // the peer is short of room: one DATA at a time
}

// idle reports whether everything is acknowledged.
func (s *sender) idle() bool { return s.n == 0 }

// paused reports whether the peer has no room: nothing new is sent then, since
// it could not be taken.
func (s *sender) paused() bool { return s.n > 0 && s.out[0].paused }

// fill takes new bytes, if there may be one more DATA.
func (s *sender) fill(take func([]byte) int, now time.Time) {
	most := window
	if s.narrow {
		most = 1
	}
	for s.n < most && !s.paused() {
		o := &s.out[s.n]
		n := take(o.buf[:])
		if n == 0 {
			return
		}
		o.data, o.due, o.tries, o.paused = o.buf[:n], now, 0, false
		s.n++
	}
}

// next returns the DATA that is to be sent now; ok is false where none is. The
// one behind a paused DATA waits with it.
func (s *sender) next(now time.Time) (number byte, o *sent, ok bool) {
	for i := range s.live() {
		if o := &s.out[i]; !o.due.After(now) {
			return s.first + byte(i), o, true
		}
	}
	return 0, nil, false
}

// live is how many of the outstanding DATA have a running timer.
func (s *sender) live() int {
	if s.paused() {
		return 1
	}
	return s.n
}

// due is when next will have something; the zero time is never.
func (s *sender) due() (at time.Time) {
	for i := range s.live() {
		if d := s.out[i].due; at.IsZero() || d.Before(at) {
			at = d
		}
	}
	return at
}

// ack takes an ACK and returns how many bytes it is news for.
//
// An ACK of what was acknowledged before, while the first DATA is paused, means
// that the peer dropped that one and has room now.
func (s *sender) ack(number byte, now time.Time) (bytes int) {
	if number == s.first-1 && s.paused() {
		s.out[0].paused, s.out[0].due = false, now
		return 0
	}
	k := int(number-s.first) + 1
	if k > s.n {
		return 0
	}
	s.narrow = false
	again := false // it was lost at first, or found no room
	for i := range k {
		bytes += len(s.out[i].data)
		s.narrow = s.narrow || s.out[i].paused
		again = again || s.out[i].paused || s.out[i].tries > 1
	}
	for i := k; i < s.n; i++ {
		to, from := &s.out[i-k], &s.out[i]
		to.buf, to.due, to.tries, to.paused = from.buf, from.due, from.tries, from.paused
		to.data = to.buf[:len(from.data)]
		if again && !to.paused {
			to.due, to.tries = now, 0 // a peer with one buffer dropped it, and would drop the next
		}
	}
	s.first += byte(k)
	s.n -= k
	return bytes
}

// wait takes a WAIT: the DATA arrived and is not lost, so it is tried again
// only in case that the ACK that shall follow gets lost.
func (s *sender) wait(number byte, retry time.Time) {
	if i := int(number - s.first); i < s.n {
		s.out[i].paused, s.out[i].due = true, retry
		s.narrow = true
	}
}
