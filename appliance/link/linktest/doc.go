// Package linktest is what tests of the serial link need: a line between two
// ends that is as fast as its baud rate says and misbehaves on request, and a
// C64's end in Go that is the reference for the one in assembler.
//
// It is for tests and tools. A Line knows bytes, not voltages: a wrong speed is
// what a UART makes of the other's bits, but there are no framing errors. The
// C64 has no ring and no interrupt; what it does promise is the protocol's side:
// which packet it sends when, one packet buffer, and its own state machine, which
// shares nothing with the bridge's but the form of a packet.
//
// The program's driver is tested against the real bridge with the machine and its
// ACIA on one clock:
//
//	synctest.Test(t, func(t *testing.T) {
//		m := machine.New(machine.Options{Speed: 1, NoUCI: true})
//		d := acia.New(acia.Config{Overshoot: 4, Violate: m.Violate})
//		m.Attach(d)
//		l, err := link.Listen(link.Config{
//			Port: "/dev/c64",
//			Open: func(string, int) (link.Port, error) { return d.Port().Reopen(), nil },
//			List: func() ([]link.Device, error) { return nil, nil },
//		})
//		... one goroutine calls m.RunFrames, another l.Accept
//	})
//
// Noisy puts faults into such a port.
//
// Everything takes its time from the time package, so that a test in a
// testing/synctest bubble runs at once and exactly.
package linktest
