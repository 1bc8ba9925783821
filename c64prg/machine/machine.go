package machine

import (
	"math/rand/v2"

	"github.com/beevik/go6502/cpu"
	"github.com/prompt64/prompt64/c64prg/machine/chargen"
	"github.com/prompt64/prompt64/c64prg/machine/uci"
)

// Options choose the machine. The zero value is a PAL C64 with the newest
// firmware profile that runs as fast as it can.
type Options struct {
	Standard Standard   // PAL when zero
	UCI      uci.Config // the Ultimate; its Hz and Violate are filled in here
	NoUCI    bool       // no Ultimate at all: $DF1D reads open bus

	// Seed fills RAM with a pattern before the program is loaded: 0 gives the
	// stripes of a real C64's power-on, anything else pseudo-random bytes.
	Seed uint64

	// Speed ties emulated to real time: 1 is real time, N is N times faster,
	// 0 is unbounded (see pace.go for what still slows it then).
	Speed float64
	// IdleRate and AnswerRate bound an unbounded machine while it waits on the
	// network: emulated milliseconds for each real one. Zero takes the defaults.
	IdleRate, AnswerRate float64

	// TurboMHz is an Ultimate 64's turbo. With TurboFixed it cannot be switched
	// ($D031 reads $FF, as on a machine in manual turbo).
	TurboMHz   int
	TurboFixed bool

	AllowBRK bool // BRK enters the IRQ handler instead of ending the run
	Strict   bool // executing outside the loaded PRG and AllowExec is a failure
}

// Machine is one C64. See the package comment for what it promises.
type Machine struct {
	opt  Options
	std  Standard
	cpu  *cpu.CPU
	bus  bus
	ram  [65536]byte
	port port

	chars  [4096]byte
	filler page // the place of a ROM
	kernal page // the last of the KERNAL's: the filler and the reset vector
	colour [1024]byte
	rnd    *rand.Rand

	clk      uint64 // system cycles since power-on
	limit    uint64 // run loop stops here: next event or target
	until    uint64 // target of the current run
	mode     byte   // memory map in use, of the port's three lines
	op       byte   // opcode in execution
	lines    byte   // interrupt lines, see irq.go
	lastRead byte   // what the last read of I/O gave
	late     bool   // I flag as it was before CLI, SEI or PLP
	frozen   uint64 // cycles that the Ultimate lived through while the C64 stood still

	vic     vic
	cia     [2]cia
	sid     sid
	uci     *uci.Device
	exp     Expansion
	expPage uint16
	keys    keyboard
	turbo   turbo
	pace    pace

	restore bool
	checks
}

// New makes a machine that is switched on and has nothing loaded.
func New(opt Options) *Machine {
	if opt.Standard.Hz == 0 {
		opt.Standard = PAL
	}
	m := &Machine{opt: opt, std: opt.Standard}
	m.rnd = rand.New(rand.NewPCG(opt.Seed, 64))
	m.bus.m = m
	m.chars = chargen.ROM()
	for i := range m.filler {
		m.filler[i] = romFiller
	}
	m.kernal = m.filler
	m.kernal[0xfc], m.kernal[0xfd] = byte(ResetEntry&0xff), byte(ResetEntry>>8)
	m.checks.init()
	m.vic.frame, m.vic.done = new(picture), new(picture)
	m.powerOn()
	m.cpu = cpu.NewCPU(cpu.NMOS, &m.bus)
	if !opt.NoUCI {
		cfg := opt.UCI
		cfg.Hz = m.std.Hz
		cfg.Violate = m.Violate
		m.uci = uci.New(cfg)
	}
	m.turbo = newTurbo(opt.TurboMHz, opt.TurboFixed)
	m.pace.init(opt)
	m.resetChips()
	return m
}

// romFiller is what BASIC's and the KERNAL's places read as: an opcode that
// halts a 6502, so that a jump there shows.
const romFiller = 0x02

// ResetEntry is where the KERNAL's reset begins, as the vector at $FFFC says. A
// program that ends by a jump through it fails there, with this PC.
const ResetEntry = 0xfce2

// powerOn fills RAM with what a C64 holds when it is switched on.
func (m *Machine) powerOn() {
	for i := range m.ram {
		switch {
		case m.opt.Seed != 0:
			m.ram[i] = byte(m.rnd.Uint32())
		case i&0x40 != 0:
			m.ram[i] = 0xff
		default:
			m.ram[i] = 0
		}
	}
	for i := range m.colour {
		m.colour[i] = byte(m.rnd.Uint32()) & 0x0f
	}
}

// Close ends the sockets and goroutines behind the UCI.
func (m *Machine) Close() {
	if m.uci != nil {
		m.uci.Close()
	}
}

// Standard is the television standard in use.
func (m *Machine) Standard() Standard { return m.std }

// Clock is the emulated time in system cycles since power-on.
func (m *Machine) Clock() uint64 { return m.clk }

// UCI is the Ultimate's command interface, for faults; nil with NoUCI.
func (m *Machine) UCI() *uci.Device { return m.uci }

// Peek reads RAM, not I/O or ROM.
func (m *Machine) Peek(addr uint16) byte { return m.ram[addr] }

// Poke writes RAM, not I/O.
func (m *Machine) Poke(addr uint16, v byte) { m.ram[addr] = v }

// CPU gives the registers for tests and debuggers.
func (m *Machine) CPU() *cpu.CPU { return m.cpu }
