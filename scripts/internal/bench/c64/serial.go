package c64

import (
	"context"
	"errors"
	"fmt"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/acia"
	"github.com/prompt64/prompt64/c64prg/machine/drive"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/rig"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
)

// nmiAim is the NMI's budget for a byte, from the interrupt to the end of the
// RTI, where the VIC-II steals nothing.
const nmiAim = 51

// Serial measures the program at a serial line: text on the screen a second, and
// what its NMI takes for a byte. The line takes real time, so the machine runs in
// real time, and a busy computer shows.
func Serial(ctx context.Context, p plan.Plan) ([]report.Row, error) {
	var rows []report.Row
	for _, std := range []machine.Standard{machine.PAL, machine.NTSC} {
		got, err := atLine(ctx, p, std)
		if err != nil {
			return rows, fmt.Errorf("text over the serial line, %s: %w", std.Name, err)
		}
		rows = append(rows, got...)
	}
	return rows, nil
}

func atLine(ctx context.Context, p plan.Plan, std machine.Standard) ([]report.Row, error) {
	s, err := sitAtLine(ctx, p, std)
	if err != nil {
		return nil, err
	}
	defer s.close()
	nmi, err := s.timeNMI()
	if err != nil {
		return nil, err
	}
	var rate stats.Sample
	for range (p.Runs() + 1) / 2 {
		if err := s.begin(); err != nil {
			return nil, err
		}
		cycles, err := s.stream(p, false)
		if err != nil {
			return nil, err
		}
		rate = append(rate, proseSize*float64(std.Hz)/float64(cycles))
		if err := s.end(); err != nil {
			return nil, err
		}
	}
	return []report.Row{
		{Name: "serial: text on the screen, " + std.Name, Value: rate.Median(), Unit: "chars/s", Spread: rate.Spread(),
			Note: fmt.Sprintf("8 KiB at %d baud", link.DefaultBaud)},
		{Name: "serial: NMI for a byte, " + std.Name, Value: nmi.least(), Unit: "cycles", Exact: true, Aim: report.AtMost(nmiAim),
			Note: fmt.Sprintf("%.0f with what the VIC-II steals, of %d bytes", nmi.mean(), nmi.n)},
	}, nil
}

// sitAtLine switches a C64 on and connects it over a serial line.
func sitAtLine(ctx context.Context, p plan.Plan, std machine.Standard) (*seat, error) {
	b, err := rig.Start(ctx)
	if err != nil {
		return nil, err
	}
	s := &seat{bridge: b, m: machine.New(machine.Options{Standard: std, NoUCI: true, Speed: 1})}
	s.d = drive.New(s.m, drive.Config{})
	dev := acia.New(acia.Config{Hz: std.Hz, LineBaud: link.DefaultBaud})
	s.m.Attach(dev)
	s.line, err = link.Listen(link.Config{
		Port: "/dev/c64",
		Open: func(string, int) (link.Port, error) { return dev.Port().Reopen(), nil },
		List: func() ([]link.Device, error) { return nil, nil },
	})
	if err == nil {
		b.ServeLine(s.line)
		err = s.connect(p)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("connect the C64: %w", err), s.close())
	}
	return s, nil
}

// nmiTimes are how long the NMI took for the bytes that came.
type nmiTimes struct {
	n, sum, min uint64
}

func (t *nmiTimes) least() float64 { return float64(t.min) }
func (t *nmiTimes) mean() float64  { return float64(t.sum) / float64(max(t.n, 1)) }

// Cycles that the hooks do not see: before the first instruction, and the RTI.
const (
	nmiEntry = 7
	rtiTakes = 6
)

// timeNMI times every NMI that takes a byte from here on.
func (s *seat) timeNMI() (*nmiTimes, error) {
	entry, err := s.addr("nmi_entry")
	if err != nil {
		return nil, err
	}
	end, err := s.addr("nmi_none")
	if err != nil {
		return nil, err
	}
	put, err := s.addr("nmi_put")
	if err != nil {
		return nil, err
	}
	t := &nmiTimes{}
	var began uint64
	took := false
	s.m.Break(entry, func() { began, took = s.m.Clock(), false })
	s.m.Break(put, func() { took = true })
	s.m.Break(end+1, func() { // the RTI behind the PLA
		if !took {
			return
		}
		n := s.m.Clock() - began + nmiEntry + rtiTakes
		if t.n++; t.n == 1 || n < t.min {
			t.min = n
		}
		t.sum += n
	})
	return t, nil
}
