// Package c64 measures the C64's program on the C64 model, against the real
// bridge: cycles, video frames and bytes, and how fast the model itself runs.
//
// Cycles are the model's, exact but for the moments at which text arrives from
// the bridge. "On the screen" means written to screen memory; the beam shows it
// up to one video frame later.
package c64

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/c64prg"
	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/drive"
	"github.com/prompt64/prompt64/scripts/internal/bench/plan"
	"github.com/prompt64/prompt64/scripts/internal/bench/rig"
)

// seat is a C64 that is on line with a bridge of its own.
type seat struct {
	bridge  *rig.Bridge
	line    *link.Listener // nil: it sits at the network
	m       *machine.Machine
	d       *drive.Driver
	labels  *machine.Labels
	session *providertest.FakeSession // of the running turn
	turns   int
}

// swift lets a waiting machine run on: nothing here waits for a network.
const swift = 1e9

// arrive is the real time that the bridge gets to bring what was said to the
// machine's socket while the machine stands still.
const arrive = 40 * time.Millisecond

// sit switches a C64 on and connects it.
func sit(ctx context.Context, p plan.Plan, std machine.Standard) (*seat, error) {
	b, err := rig.Start(ctx)
	if err != nil {
		return nil, err
	}
	s := &seat{bridge: b, m: machine.New(machine.Options{Standard: std, IdleRate: swift})}
	s.d = drive.New(s.m, drive.Config{})
	if err := s.connect(p); err != nil {
		return nil, errors.Join(fmt.Errorf("connect the C64: %w", err), s.close())
	}
	return s, nil
}

func (s *seat) connect(p plan.Plan) error {
	baud := 0
	if s.line != nil {
		baud = link.DefaultBaud
	}
	prg, err := program(p.PRG(), s.bridge.Addr, baud)
	if err != nil {
		return err
	}
	if s.labels, err = readLabels(p.Labels()); err != nil {
		return err
	}
	s.m.SetLabels(s.labels)
	if err := s.m.Load(prg); err != nil {
		return err
	}
	if err := s.d.WaitText("RETURN", 10*time.Second); err != nil {
		return err
	}
	if err := s.d.Type("\n"); err != nil {
		return err
	}
	if s.line != nil {
		return s.d.WaitText("SERIAL", 30*time.Second)
	}
	return s.d.WaitText("ON LINE", 30*time.Second)
}

// program is the PRG with a bridge's address, or a serial line's speed, in it.
func program(path, addr string, baud int) ([]byte, error) {
	prg, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, err
	}
	c, err := c64prg.Read(prg)
	if err != nil {
		return nil, err
	}
	c.Host, c.Port = host, uint16(n)
	if c, err = c.AtSpeed(baud); err != nil {
		return nil, err
	}
	return c64prg.Patch(prg, c)
}

func readLabels(path string) (*machine.Labels, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("symbols of the program (make in c64prg writes them): %w", err)
	}
	defer f.Close()
	return machine.ReadLabels(f)
}

// begin types a prompt and waits until its turn runs.
func (s *seat) begin() error {
	s.turns++
	n := s.bridge.Fake.Count(providertest.OpStart)
	if err := s.d.Type("go\n"); err != nil {
		return err
	}
	err := s.d.WaitFor("the turn at the bridge", 30*time.Second, func(*drive.Screen) bool {
		calls := s.bridge.Fake.Calls(providertest.OpStart)
		if len(calls) <= n || !calls[n].Session.Active() {
			return false
		}
		s.session = calls[n].Session
		return true
	})
	if err != nil {
		return err
	}
	// The first words settle what only a turn's beginning needs.
	if err := s.say("Well: "); err != nil {
		return err
	}
	return s.d.WaitText("Well:", 10*time.Second)
}

// say lets the agent speak while the machine stands still, so that all of it
// waits at the C64's socket.
func (s *seat) say(text string) error {
	s.session.Text(text)
	time.Sleep(arrive)
	return s.m.Err()
}

// end ends the turn and waits until the C64 knows.
func (s *seat) end() error {
	s.session.End(provider.EndDone, "")
	time.Sleep(arrive)
	return s.d.WaitText("READY", 30*time.Second)
}

// close switches everything off.
func (s *seat) close() error {
	s.m.Close()
	err := s.bridge.Close()
	if s.line != nil {
		<-s.line.Done()
	}
	return err
}

// frames are cycles in video frames.
func (s *seat) frames(cycles uint64) float64 {
	return float64(cycles) / float64(s.m.Standard().Frame())
}
