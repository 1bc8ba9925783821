package acia

import "github.com/prompt64/prompt64/c64prg/machine"

// Profile is what differs between cartridges.
type Profile struct {
	Name     string
	FIFO     int  // bytes buffered in each direction; 0: a real 6551
	StopsTX  bool // RTS off stops the transmitter
	Pushback bool // the next byte waits until the last was read
	Fast     bool // register 7 switches speeds above 38400 on
	Mirrored bool // the registers show up all over the page
}

// The cartridges.
var (
	SwiftLink = Profile{Name: "SwiftLink", StopsTX: true, Mirrored: true}
	Turbo232  = Profile{Name: "Turbo232", StopsTX: true, Fast: true}
	Ultimate  = Profile{Name: "Ultimate", FIFO: 255}
	// UltimatePushback is an Ultimate with its option "Automatic Rx Pushback".
	UltimatePushback = Profile{Name: "Ultimate, pushback", FIFO: 255, Pushback: true}
)

// Profiles lists the cartridges.
func Profiles() []Profile { return []Profile{SwiftLink, Turbo232, Ultimate, UltimatePushback} }

// Config sets a device up. The zero value is a SwiftLink on a PAL machine, wired
// to NMI.
type Config struct {
	Hz      uint64  // cycles a second of the machine; PAL's when zero
	Profile Profile // SwiftLink when it has no name
	IRQ     bool    // wired to IRQ, not to NMI
	// Rockwell is a chip whose reset by program leaves 0 in the command register,
	// where a MOS 6551 leaves 2.
	Rockwell bool

	// LineBaud is the speed of the line's other end. Where it is set and the
	// program chooses another, both sides read garbage.
	LineBaud int
	// Overshoot is how many bytes the line's other end still sends after RTS
	// fell, as a UART with a buffer does.
	Overshoot int
	// Violate takes breaches of the hardware's rules, such as a byte written
	// over one that was not sent.
	Violate func(what string)
}

func (c *Config) fill() {
	if c.Hz == 0 {
		c.Hz = machine.PAL.Hz
	}
	if c.Profile.Name == "" {
		c.Profile = SwiftLink
	}
	if c.Violate == nil {
		c.Violate = func(string) {}
	}
}

// bauds are the speeds by the control register's low nibble; the crystal of the
// cartridges doubles those of the data sheet. 0 is none here: the external clock
// is not connected, but on a Turbo232.
var bauds = [16]int{0, 100, 150, 219, 269, 300, 600, 1200, 2400, 3600, 4800, 7200, 9600, 14400, 19200, 38400}

// fastBauds are a Turbo232's by the low bits of register 7.
var fastBauds = [4]int{230400, 115200, 57600, 0}
