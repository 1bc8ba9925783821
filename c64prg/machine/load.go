package machine

import (
	"errors"
	"fmt"
)

// BASIC's start and what it leaves behind when it runs SYS.
const (
	basicStart = 0x0801
	basicSP    = 0xf6
	tokenSYS   = 0x9e
)

// Load puts a PRG file into RAM and makes the machine ready to start it, as
// BASIC would be at its SYS: ROMs banked in, the jiffy interrupt running, a
// clear screen in the default colours. Run then runs it.
func (m *Machine) Load(prg []byte) error {
	if len(prg) < 3 {
		return errors.New("load: the file is too short to be a PRG: it needs two bytes of address and some program")
	}
	start := int(prg[0]) | int(prg[1])<<8
	body := prg[2:]
	if start != basicStart {
		return fmt.Errorf("load: the file loads at $%04X, a program that RUN starts loads at $%04X", start, basicStart)
	}
	if start+len(body) > 0xd000 {
		return fmt.Errorf("load: the file ends at $%04X, beyond $CFFF where I/O begins", start+len(body)-1)
	}
	entry, err := sysAddress(body)
	if err != nil {
		return fmt.Errorf("load: %w", err)
	}
	copy(m.ram[start:], body)
	m.loaded = span{uint16(start), uint16(start + len(body))}
	m.basicState()
	m.cpu.Reg.PC = entry
	return nil
}

// sysAddress reads the number behind SYS in the program's first line.
func sysAddress(body []byte) (uint16, error) {
	for i := 4; i < len(body) && body[i] != 0; i++ {
		if body[i] != tokenSYS {
			continue
		}
		n, digits := 0, 0
		for _, c := range body[i+1:] {
			if c == ' ' && digits == 0 {
				continue
			}
			if c < '0' || c > '9' {
				break
			}
			n = n*10 + int(c-'0')
			digits++
			if n > 0xffff {
				break
			}
		}
		if digits == 0 || n > 0xffff {
			return 0, errors.New("the SYS in the BASIC line has no address that fits")
		}
		return uint16(n), nil
	}
	return 0, errors.New("the BASIC line at $0801 has no SYS")
}

// basicState makes registers, I/O and low memory what BASIC has at a SYS.
func (m *Machine) basicState() {
	m.resetChips()
	m.port = port{ddr: 0x2f, data: 0x37}
	m.remap()
	set := func(addr uint16, vals ...byte) {
		for i, v := range vals {
			m.ioStore(addr+uint16(i), v)
		}
	}
	m.op = 0xea
	set(0xd011, 0x1b)
	set(0xd016, 0xc8)
	set(0xd018, 0x15)
	set(0xd020, 14, 6)
	set(0xdd02, 0x3f)
	set(0xdd00, 0xc7)
	set(0xdc02, 0xff, 0x00)
	set(0xdc00, 0x7f)
	jiffy := m.std.Hz/60 - 1
	set(0xdc04, byte(jiffy), byte(jiffy>>8))
	set(0xdc0d, 0x81)
	set(0xdc0e, 0x11)
	for i := range 1000 {
		m.ram[0x400+i], m.colour[i] = ' ', 14
	}
	m.ram[ramIRQ], m.ram[ramIRQ+1] = defIRQ&0xff, defIRQ>>8
	m.ram[ramNMI], m.ram[ramNMI+1] = defNMI&0xff, defNMI>>8
	r := &m.cpu.Reg
	r.Init()
	r.SP = basicSP
	m.lowSP = basicSP
}

// Reset is the reset button followed by the Ultimate's run_prg: chips and
// registers start anew, the UCI is aborted, RAM and the firmware's sockets
// stay. Load it again to start the program.
func (m *Machine) Reset() {
	m.resetChips()
	m.failure = nil
	if m.uci != nil {
		m.uci.Reset(m.clk + m.frozen)
	}
	if m.exp != nil {
		m.exp.Reset()
	}
}

// PowerCycle switches the machine off and on: RAM and sockets are gone.
func (m *Machine) PowerCycle() {
	m.powerOn()
	m.Reset()
	if m.uci != nil {
		m.uci.PowerCycle()
	}
}

func (m *Machine) resetChips() {
	m.port = port{ddr: 0x2f, data: 0x37}
	m.lines, m.restore = 0, false
	m.resetVIC()
	m.resetCIA()
	m.sid.reg = [32]byte{}
	m.remap()
	m.schedule()
}
