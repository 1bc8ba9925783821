package link_test

import (
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/link/linktest"
)

// trap panics once, when it is set.
type trap struct{ set atomic.Bool }

func (t *trap) spring() {
	if t.set.CompareAndSwap(true, false) {
		panic("boom")
	}
}

// trapped is a port and a log with traps.
type trapped struct {
	link.Port
	reads, writes *trap
}

func (p trapped) Read(b []byte) (int, error) {
	n, err := p.Port.Read(b)
	p.reads.spring()
	return n, err
}

func (p trapped) Write(b []byte) (int, error) { p.writes.spring(); return p.Port.Write(b) }

type words struct{ trap *trap }

func (w words) Write(b []byte) (int, error) { w.trap.spring(); return len(b), nil }

func isFault(err error) bool {
	_, ok := errors.AsType[*guarded.Fault](err)
	return ok
}

// A fault in what reads or writes the port costs the port, which is opened anew, and
// no connection.
func TestFaultAtThePortCostsNoConnection(t *testing.T) {
	for _, writes := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			d := &desk{t: t, line: linktest.NewLine(38400, 1)}
			cfg := d.line.Config()
			one, opened := new(trap), 0
			cfg.Open = func(path string, baud int) (link.Port, error) {
				port, err := d.line.Open(path, baud)
				opened++
				if writes {
					return trapped{port, new(trap), one}, err
				}
				return trapped{port, one, new(trap)}, err
			}
			d.l = listenOn(t, cfg)
			defer d.close()
			c, b := d.dial(linktest.Config{})
			one.set.Store(true)
			bothWays(t, c, b, 300)
			if one.set.Load() || opened != 2 {
				t.Errorf("writes %v: sprung: %v, opened %d times", writes, !one.set.Load(), opened)
			}
		})
	}
}

// A fault of the line's own goroutine, or of its keeper, ends the listener and the
// connection with its reason, frees the port, and the line can be taken anew.
func TestFaultOfALineEndsItAndAnotherTakesItsPlace(t *testing.T) {
	for name, spring := range map[string]func(*desk){
		"line": func(d *desk) { // it logs a wrong version
			p := newPeer(d)
			defer p.close()
			_, _ = p.port.Write(link.Packet{Kind: link.Open, Nonce: 9, Number: 77}.AppendTo(nil))
			time.Sleep(time.Second)
		},
		"keeper": func(*desk) { time.Sleep(time.Second) }, // it looks for the port
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := &desk{t: t, line: linktest.NewLine(38400, 1)}
				cfg := d.line.Config()
				one := new(trap)
				if name == "line" {
					cfg.Log = slog.New(slog.NewTextHandler(words{one}, nil))
				} else {
					cfg.List = func() ([]link.Device, error) { one.spring(); return d.line.List() }
				}
				d.l = listenOn(t, cfg)
				c, b := d.dial(linktest.Config{})
				one.set.Store(true)
				spring(d)
				if _, err := b.Read(make([]byte, 1)); !isFault(err) {
					t.Errorf("the connection ends with %v", err)
				}
				if _, err := d.l.Accept(); !isFault(err) {
					t.Errorf("the listener ends with %v", err)
				}
				<-d.l.Done()
				c.SwitchOff()
				d.l = listenOn(t, cfg)
				defer d.close()
				c, b = d.dial(linktest.Config{})
				bothWays(t, c, b, 300)
			})
		})
	}
}

func listenOn(t *testing.T, cfg link.Config) *link.Listener {
	t.Helper()
	l, err := link.Listen(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return l
}
