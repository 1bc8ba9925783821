package acia_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/link/linktest"
	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/acia"
)

// echo is a PRG without a ROM whose NMI handler sends back what it receives.
// It counts NMIs at $2000.
var echo = prg(
	// $080D: the set-up
	0x78, 0xa9, 0x35, 0x85, 0x01, // SEI, LDA #$35, STA $01
	0xa9, 0x40, 0x8d, 0xfa, 0xff, // NMI at $0840
	0xa9, 0x08, 0x8d, 0xfb, 0xff,
	0xa9, 0x7f, 0x8d, 0x0d, 0xdd, // no interrupts of CIA 2
	0xa9, 0x1f, 0x8d, 0x03, 0xde, // 8N1 at 38400
	0xa9, 0x09, 0x8d, 0x02, 0xde, // DTR, RTS, receive interrupt
	0x4c, 0x2b, 0x08, // JMP to itself
).at(0x0840,
	0x48,             // PHA
	0xee, 0x00, 0x20, // INC $2000
	0xad, 0x01, 0xde, // LDA $DE01: ends the interrupt
	0x29, 0x08, // AND #$08
	0xf0, 0x06, // BEQ +6
	0xad, 0x00, 0xde, // LDA $DE00
	0x8d, 0x00, 0xde, // STA $DE00
	0x68, 0x40, // PLA, RTI
)

type image []byte

func prg(code ...byte) image {
	return append(image{0x01, 0x08, 0x0b, 0x08, 0xe8, 0x07, 0x9e, '2', '0', '6', '1', 0, 0, 0}, code...)
}

func (i image) at(addr int, code ...byte) image {
	for len(i)-2 < addr-0x0801 {
		i = append(i, 0)
	}
	return append(i, code...)
}

// plug makes a machine with the program and a device.
func plug(t *testing.T, opt machine.Options, cfg acia.Config) (*machine.Machine, *acia.Device) {
	t.Helper()
	m := machine.New(opt)
	cfg.Hz = m.Standard().Hz
	cfg.Violate = m.Violate
	d := acia.New(cfg)
	m.Attach(d)
	if err := m.Load(echo); err != nil {
		t.Fatal(err)
	}
	return m, d
}

// Bytes at full speed, each an edge of NMI, come back in order from every
// cartridge, on both standards, while bad lines steal cycles.
func TestProgramEchoesAtFullSpeedByNMI(t *testing.T) {
	for _, standard := range []machine.Standard{machine.PAL, machine.NTSC} {
		for _, profile := range acia.Profiles() {
			m, d := plug(t, machine.Options{Standard: standard, NoUCI: true}, acia.Config{Profile: profile})
			if err := m.RunFrames(2); err != nil {
				t.Fatal(err)
			}
			want := make([]byte, 1000)
			for i := range want {
				want[i] = byte(i * 7)
			}
			if _, err := d.Port().Write(want); err != nil {
				t.Fatal(err)
			}
			if err := m.Run(m.Standard().Hz * 3 / 10); err != nil { // 1000 bytes take 0.26 s
				t.Fatal(err)
			}
			got := make([]byte, 2000)
			n, err := d.Port().Read(got)
			if err != nil || string(got[:n]) != string(want) {
				t.Errorf("%s, %s: %d bytes, %v", standard.Name, profile.Name, n, err)
			}
			if d.Overruns() != 0 || m.Peek(0x2000) != byte(len(want)%256) {
				t.Errorf("%s, %s: %d overruns, %d NMIs", standard.Name, profile.Name, d.Overruns(), m.Peek(0x2000))
			}
			m.Close()
		}
	}
}

// The line's far end is a port that the link can use: a machine whose program
// echoes is a line that echoes, and the link knows its own packets.
func TestLinkSitsAtTheFarEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, d := plug(t, machine.Options{NoUCI: true, Speed: 1}, acia.Config{LineBaud: 38400})
		ctx, stop := context.WithCancel(context.Background())
		ran := make(chan error, 1)
		go func() {
			for ctx.Err() == nil {
				if err := m.RunFrames(1); err != nil {
					ran <- err
					return
				}
			}
			ran <- nil
		}()
		time.Sleep(100 * time.Millisecond)
		dialing, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		if _, err := linktest.Dial(dialing, d.Port(), linktest.Config{}); err == nil {
			t.Error("an echo was taken for a bridge")
		}
		stop()
		if err := <-ran; err != nil {
			t.Error(err)
		}
		if n := d.Received(); n < 5*8 || n != d.Sent() {
			t.Errorf("%d bytes came and %d went: OPEN is sent five times", n, d.Sent())
		}
		m.Close()
	})
}

// The device's port is one that link.Listen can open.
var _ link.Port = (*acia.Port)(nil)

// An unbounded machine leaves real time to the far end while it waits for it.
func TestUnboundedMachineWaitsForTheFarEnd(t *testing.T) {
	m, d := plug(t, machine.Options{NoUCI: true, AnswerRate: 10}, acia.Config{})
	defer m.Close()
	if err := m.RunFrames(1); err != nil {
		t.Fatal(err)
	}
	if !d.Awaits() {
		t.Error("a program that listens does not wait")
	}
	start := time.Now()
	if err := m.Run(m.Standard().Hz / 2); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took < 40*time.Millisecond { // 500 ms at a tenth
		t.Errorf("it took %v", took)
	}
}

// The Ultimate's menu stops the C64 and not the line: without RTS taken back
// what comes meanwhile overruns.
func TestLineGoesOnWhileTheC64IsFrozen(t *testing.T) {
	m, d := plug(t, machine.Options{NoUCI: true}, acia.Config{})
	defer m.Close()
	if err := m.RunFrames(1); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Port().Write(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	m.Freeze(m.Standard().Hz / 10)
	if d.Overruns() != 99 {
		t.Errorf("%d overruns", d.Overruns())
	}
	if _, err := d.Port().Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := m.RunFrames(3); err != nil {
		t.Fatal(err)
	}
	if d.Sent() != 2 {
		t.Errorf("%d bytes came back after it, one from before and one new", d.Sent())
	}
}

func TestPortIsOpenedAgain(t *testing.T) {
	m, d := plug(t, machine.Options{NoUCI: true}, acia.Config{})
	defer m.Close()
	_, _ = d.Port().Write([]byte("lost"))
	_ = d.Port().Close()
	if _, err := d.Port().Write([]byte("x")); err == nil {
		t.Error("a closed port was written to")
	}
	if _, err := d.Port().Read(make([]byte, 1)); err == nil {
		t.Error("a closed port was read from")
	}
	if _, err := d.Port().Reopen().Write([]byte("y")); err != nil {
		t.Fatal(err)
	}
	if err := m.RunFrames(4); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 10)
	if n, err := d.Port().Read(got); err != nil || string(got[:n]) != "y" {
		t.Errorf("%q, %v", got[:n], err)
	}
}
