package machine

import "time"

// The defaults for a machine that is not tied to real time; see Options.
const (
	defaultIdleRate   = 20
	defaultAnswerRate = 4
)

// realFor is for how many milliseconds an answer is awaited in real time before
// the rate applies. Answers mostly come at once, and then they take as long for
// the C64 as they really did.
const realFor = 200

// maxDebt is how far a machine tied to real time may fall behind before the
// lost time is forgotten: after a long stop it goes on, it does not race.
const maxDebt = 200 * time.Millisecond

// pace ties emulated time to real time.
//
// With a Speed the two clocks keep that ratio. Without one the machine runs as
// fast as it can, except while it waits on the network: a peer lives in real
// time, and emulated time-outs must not fire because it had none to answer in.
// So emulated time is then paid for with sleep, in which the peer can run: one
// real millisecond for each IdleRate emulated ones while a READ waits, for each
// AnswerRate ones while bytes were sent and none came back yet (the first 200
// of them in real time). Only sleep that
// was asked for counts, so a busy computer stretches the wait by itself, and
// whatever arrives ends the sleep at once.
type pace struct {
	speed        float64
	idle, answer float64
	began        time.Time
	from         uint64
	owed         time.Duration
}

func (p *pace) init(o Options) {
	p.speed, p.idle, p.answer = o.Speed, o.IdleRate, o.AnswerRate
	if p.idle == 0 {
		p.idle = defaultIdleRate
	}
	if p.answer == 0 {
		p.answer = defaultAnswerRate
	}
}

// Waiter is an Expansion whose far end lives in real time, such as an ACIA.
type Waiter interface {
	Expansion
	// Awaits says that the program waits for the far end.
	Awaits() bool
	// Wait sleeps for real time, or until something arrives.
	Wait(time.Duration)
}

// slice is how many cycles run between two looks at real time.
func (p *pace) slice(m *Machine) uint64 { return m.std.Hz / 500 }

// after pays for the slice that ran.
func (p *pace) after(m *Machine) {
	if p.speed > 0 {
		p.realTime(m)
		return
	}
	emulated := time.Second / 500
	rate := 0.0
	wait := time.Sleep
	if m.uci != nil {
		wait = m.uci.Wait
		since, answer := m.uci.AwaitsAnswer(m.clk + m.frozen)
		switch {
		case answer && m.clk+m.frozen-since < m.std.Hz*realFor/1000:
			rate = min(p.answer, 1)
		case answer:
			rate = p.answer
		case m.uci.AwaitsNetwork():
			rate = p.idle
		}
	}
	if w, ok := m.exp.(Waiter); ok && rate == 0 && w.Awaits() {
		rate, wait = p.answer, w.Wait
	}
	if rate == 0 {
		p.owed = 0
		return
	}
	p.owed += time.Duration(float64(emulated) / rate)
	if p.owed >= time.Millisecond {
		wait(p.owed)
		p.owed = 0
	}
}

// realTime sleeps until real time has caught up.
func (p *pace) realTime(m *Machine) {
	now := time.Now()
	if p.began.IsZero() {
		p.began, p.from = now, m.clk+m.frozen
		return
	}
	emulated := float64(m.clk+m.frozen-p.from) / float64(m.std.Hz) / p.speed
	ahead := time.Duration(emulated*float64(time.Second)) - now.Sub(p.began)
	if ahead < -maxDebt {
		p.began, p.from = now, m.clk+m.frozen
		return
	}
	if ahead > time.Millisecond {
		time.Sleep(ahead)
	}
}

// SetSpeed changes Options.Speed while the machine exists.
func (m *Machine) SetSpeed(speed float64) {
	m.pace.speed = speed
	m.pace.began = time.Time{}
}
