package link

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// bucket takes DATA up to a size.
type bucket struct {
	room int
	got  []byte
}

func (b *bucket) put(p []byte) bool {
	if len(p) > b.room {
		return false
	}
	b.room -= len(p)
	b.got = append(b.got, p...)
	return true
}

func answerTo(t *testing.T, r *receiver, b *bucket, number byte, text string) string {
	t.Helper()
	p, ok := r.data(number, []byte(text), b.put)
	if !ok {
		return ""
	}
	return p.Kind.String() + " " + string('0'+rune(p.Number))
}

func TestReceiverAnswersEachDataAsTheSpecificationSays(t *testing.T) {
	var r receiver
	b := &bucket{room: 100}
	steps := []struct {
		what   string
		number byte
		text   string
		answer string
	}{
		{"the first", 0, "a", "ACK 0"},
		{"it again", 0, "a", "ACK 0"},
		{"the one after a lost one", 2, "c", ""},
		{"the lost one", 1, "b", "ACK 2"},
		{"two ahead", 5, "x", ""},
		{"an old one", 1, "b", "ACK 2"},
		{"the next", 3, "d", "ACK 3"},
	}
	for _, s := range steps {
		if got := answerTo(t, &r, b, s.number, s.text); got != s.answer {
			t.Errorf("%s: %q, want %q", s.what, got, s.answer)
		}
	}
	if string(b.got) != "abcd" {
		t.Errorf("%q", b.got)
	}
}

func TestReceiverWithoutRoomWaitsAndAcknowledgesByItself(t *testing.T) {
	var r receiver
	b := &bucket{room: 1}
	for i, want := range []string{"ACK 0", "WAIT 1", "WAIT 2"} {
		if got := answerTo(t, &r, b, byte(i), "x"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := answerTo(t, &r, b, 1, "x"); got != "WAIT 1" {
		t.Errorf("the same again: %q", got)
	}
	b.room = 1
	if n := r.flush(b.put); n != 1 || r.ack().Number != 1 {
		t.Errorf("%d moved, %+v", n, r.ack())
	}
	b.room = 5
	if n := r.flush(b.put); n != 1 || r.ack().Number != 2 || len(b.got) != 3 {
		t.Errorf("%d moved, %+v, %q", n, r.ack(), b.got)
	}
}

// sends is a sender with text to send, at a time of its own.
type sends struct {
	sender
	text string
	now  time.Time
}

func (s *sends) take(p []byte) int {
	n := copy(p[:1], s.text)
	s.text = s.text[n:]
	return n
}

// sent is what is sent now; each is due again after a second.
func (s *sends) sent() (out string) {
	s.fill(s.take, s.now)
	for {
		_, o, ok := s.next(s.now)
		if !ok {
			return out
		}
		out += string(o.data)
		o.tries++
		o.due = s.now.Add(time.Second)
	}
}

func TestSenderHasTwoOutstandingAndRepeatsThem(t *testing.T) {
	s := &sends{text: "abcdef", now: time.Unix(0, 0)}
	s.first = 255
	if got := s.sent(); got != "ab" {
		t.Errorf("first %q", got)
	}
	if got := s.sent(); got != "" {
		t.Errorf("at once again %q", got)
	}
	s.now = s.now.Add(time.Second)
	if got := s.sent(); got != "ab" {
		t.Errorf("after its time %q", got)
	}
	if n := s.ack(7, s.now); n != 0 {
		t.Errorf("an ACK of what was not sent: %d", n)
	}
	if n := s.ack(0, s.now); n != 2 { // across the wrap, both at once
		t.Errorf("%d bytes", n)
	}
	if n := s.ack(0, s.now); n != 0 {
		t.Errorf("twice the same ACK: %d", n)
	}
	if got := s.sent(); got != "cd" {
		t.Errorf("then %q", got)
	}
}

// A peer that keeps only the next DATA drops the one behind a lost one; that is
// sent before anything new, or the peer would drop the new one too, and so on.
func TestDataBehindALostOneIsSentAgainBeforeTheNext(t *testing.T) {
	s := &sends{text: "abcdef", now: time.Unix(0, 0)}
	if got := s.sent(); got != "ab" {
		t.Fatalf("%q", got)
	}
	s.now = s.now.Add(500 * time.Millisecond)
	s.out[1].due = s.now.Add(time.Second) // sent later than the first
	s.now = s.now.Add(500 * time.Millisecond)
	if got := s.sent(); got != "a" {
		t.Fatalf("after its time: %q", got)
	}
	s.ack(0, s.now)
	if got := s.sent(); got != "bc" {
		t.Errorf("after the ACK of the lost one: %q", got)
	}
	s.ack(1, s.now)
	if got := s.sent(); got != "d" {
		t.Errorf("once it is in step again: %q", got)
	}
	s.now = s.now.Add(time.Second)
	s.sent()
	s.ack(3, s.now)
	if got := s.sent(); got != "ef" {
		t.Errorf("a peer that had kept the one behind: %q", got)
	}
}

func TestSenderDoesNotTakeAWaitForALoss(t *testing.T) {
	s := &sends{text: "abcdef", now: time.Unix(0, 0)}
	s.sent()
	s.wait(0, s.now.Add(10*time.Second))
	s.now = s.now.Add(9 * time.Second)
	if got := s.sent(); got != "" {
		t.Errorf("sent into a full receiver: %q", got)
	}
	s.now = s.now.Add(time.Second)
	if got := s.sent(); got != "a" {
		t.Errorf("its try: %q", got)
	}
	s.ack(0, s.now)
	if got := s.sent(); got != "b" {
		t.Errorf("behind it, dropped by a receiver with one buffer: %q", got)
	}
	s.ack(1, s.now)
	if got := s.sent(); got != "cd" {
		t.Errorf("when there was room at once: %q", got)
	}
}

func TestAckOfTheOneBeforeAPausedDataAsksForIt(t *testing.T) {
	s := &sends{text: "abc", now: time.Unix(0, 0)}
	s.sent()
	s.wait(0, s.now.Add(10*time.Second))
	s.ack(255, s.now)
	if got := s.sent(); got != "a" {
		t.Errorf("%q", got)
	}
}

// Both halves over a line that loses and repeats packets in order.
func TestModelOfBothHalves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(0, 700, 700).Draw(t, "text")
		s := &sends{text: text, now: time.Unix(0, 0)}
		var r receiver
		b := &bucket{}
		lossy := rapid.IntRange(0, 9)
		for step := 0; len(b.got) < len(text); step++ {
			b.room = rapid.IntRange(0, 2).Draw(t, "room")
			s.fill(s.take, s.now)
			for {
				number, o, ok := s.next(s.now)
				if !ok {
					break
				}
				o.due = s.now.Add(time.Second)
				if lossy.Draw(t, "data") == 0 {
					continue
				}
				if p, ok := r.data(number, o.data, b.put); ok && lossy.Draw(t, "answer") > 0 {
					if p.Kind == Wait {
						s.wait(p.Number, s.now.Add(2*time.Second))
					} else {
						s.ack(p.Number, s.now)
					}
				}
			}
			if r.flush(b.put) > 0 && lossy.Draw(t, "ack") > 0 {
				s.ack(r.ack().Number, s.now)
			}
			s.now = s.now.Add(time.Second)
			if step > 20*len(text)+100 {
				t.Fatal("no progress")
			}
		}
		if string(b.got) != text {
			t.Fatal("other bytes arrived")
		}
	})
}
