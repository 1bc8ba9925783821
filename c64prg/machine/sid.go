package machine

// SIDWrite is one write to a register of the sound chip.
type SIDWrite struct {
	Cycle uint64
	Reg   byte // 0 to 24, from $D400
	Value byte
}

// sidLog is how many of the newest writes are kept.
const sidLog = 1 << 16

// sid logs what is written; oscillator 3 and its envelope read plausibly.
type sid struct {
	reg [32]byte
	log []SIDWrite
}

func (s *sid) store(r, v byte, now uint64) {
	s.reg[r] = v
	if len(s.log) == sidLog {
		s.log = append(s.log[:0], s.log[sidLog/2:]...)
	}
	s.log = append(s.log, SIDWrite{now, r, v})
}

func (s *sid) load(r byte, now uint64) byte {
	switch r {
	case 0x19, 0x1a: // paddles: none
		return 0xff
	case 0x1b: // oscillator 3: its top byte, noise where that is chosen
		freq := uint64(s.reg[14]) | uint64(s.reg[15])<<8
		if s.reg[18]&0x80 != 0 {
			return byte(now * freq * 0x9e3779b97f4a7c15 >> 56)
		}
		return byte(now * freq >> 16)
	case 0x1c: // envelope 3: full while gated
		if s.reg[18]&1 != 0 {
			return 0xff
		}
	}
	return 0
}

// SIDLog gives the writes to the SID since the last ClearSID, oldest first.
func (m *Machine) SIDLog() []SIDWrite { return m.sid.log }

// ClearSID forgets the writes so far.
func (m *Machine) ClearSID() { m.sid.log = nil }
