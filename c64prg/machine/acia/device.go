package acia

import (
	"math/rand/v2"

	"github.com/prompt64/prompt64/c64prg/machine"
)

// never is a time that does not come.
const never = ^uint64(0)

// Device is the chip with its cartridge.
type Device struct {
	cfg  Config
	line *Port
	rnd  *rand.Rand

	command, control, fast byte
	irq                    bool
	carrier                bool

	data                      byte // received
	full, overrun, framing    bool
	fifo                      []byte // Ultimate: received and not in the register
	rx                        clock
	arriving                  bool // a byte is on its way in
	inByte                    byte
	credit                    int // bytes that still come although RTS is off
	tx                        clock
	sending                   bool // a byte is on its way out
	outByte                   byte
	holding                   []byte // written, not in the shift register
	received, lost, delivered uint64
}

var _ machine.Waiter = (*Device)(nil)

// New makes a device with a line.
func New(cfg Config) *Device {
	cfg.fill()
	d := &Device{cfg: cfg, line: newPort(), rnd: rand.New(rand.NewPCG(6551, 1)), carrier: true}
	d.Reset()
	return d
}

// Port is the other end of the line.
func (d *Device) Port() *Port { return d.line }

// Overruns is how many received bytes were lost in the chip.
func (d *Device) Overruns() uint64 { return d.lost }

// Received is how many bytes came over the line, lost ones included.
func (d *Device) Received() uint64 { return d.received }

// Sent is how many bytes went out on the line.
func (d *Device) Sent() uint64 { return d.delivered }

// RTS says whether the program lets the other end send.
func (d *Device) RTS() bool { return d.command&cmdTransmit != 0 }

// SetCarrier plugs the line in or out, as DCD and DSR show it; a change is an
// interrupt.
func (d *Device) SetCarrier(on bool) {
	if on != d.carrier {
		d.carrier = on
		d.irq = d.irq || d.on()
	}
}

// Reset implements machine.Expansion. The line is left alone.
func (d *Device) Reset() {
	d.command, d.control, d.fast = cmdReset, 0, 0
	d.irq, d.full, d.overrun, d.framing = false, false, false, false
	d.fifo, d.holding = nil, nil
	d.arriving, d.sending, d.credit = false, false, 0
	d.rx, d.tx = clock{at: never}, clock{at: never}
	d.line.setRTS(false)
}

func (d *Device) on() bool { return d.command&cmdDTR != 0 }

// IRQ implements machine.Expansion.
func (d *Device) IRQ() bool { return d.irq && d.cfg.IRQ }

// NMI implements machine.Expansion.
func (d *Device) NMI() bool { return d.irq && !d.cfg.IRQ }
