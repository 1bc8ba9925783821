package link_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/link/linktest"
)

// A new C64 must connect within the two seconds, and its OPEN comes each second.
const found = 3 * time.Second

func TestAdapterIsFoundAgainBySerialNumberAtAnotherPath(t *testing.T) {
	for _, silent := range []bool{false, true} {
		bubble(t, 38400, func(t *testing.T, d *desk) {
			c, b := d.dial(linktest.Config{})
			bothWays(t, c, b, 300)
			d.line.Unplug(silent)
			time.Sleep(4 * time.Second)
			d.line.Plug("/dev/ttyUSB3", "P64-1")
			start := time.Now()
			bothWays(t, c, b, 300) // the same connection
			if took := time.Since(start); took > found {
				t.Errorf("silent %v: it took %v", silent, took)
			}
		})
	}
}

func TestAdapterThatWasAwayForLongServesANewConnection(t *testing.T) {
	bubble(t, 38400, func(t *testing.T, d *desk) {
		c, b := d.dial(linktest.Config{})
		d.line.Unplug(false)
		if _, err := b.Read(make([]byte, 1)); !errors.Is(err, link.ErrSilent) {
			t.Errorf("%v", err)
		}
		time.Sleep(time.Hour)
		c.SwitchOff()
		d.line.Plug("/dev/ttyUSB0", "P64-1")
		start := time.Now()
		c, b = d.dial(linktest.Config{})
		if took := time.Since(start); took > found {
			t.Errorf("it took %v", took)
		}
		bothWays(t, c, b, 300)
	})
}

func TestAdapterWithoutSerialNumberIsFoundByItsPath(t *testing.T) {
	bubble(t, 38400, func(t *testing.T, d *desk) {
		d.line.Unplug(false)
		time.Sleep(time.Second)
		d.line.Plug("/dev/ttyUSB0", "")
		c, b := d.dial(linktest.Config{})
		d.line.Unplug(true)
		time.Sleep(time.Second)
		d.line.Plug("/dev/ttyUSB0", "")
		bothWays(t, c, b, 300)
	})
}

// Another adapter at the old path is not ours while ours is elsewhere.
func TestAnotherAdapterAtThePathIsNotTaken(t *testing.T) {
	line := linktest.NewLine(38400, 1)
	var mu sync.Mutex
	var opened []string
	gone := false
	cfg := line.Config()
	cfg.List = func() ([]link.Device, error) {
		mu.Lock()
		defer mu.Unlock()
		if gone {
			return []link.Device{{Path: "/dev/ttyUSB0", Serial: "OTHER"}, {Path: "/dev/ttyUSB1", Serial: "P64-1"}}, nil
		}
		return []link.Device{{Path: "/dev/ttyUSB0", Serial: "P64-1"}}, nil
	}
	cfg.Open = func(path string, baud int) (link.Port, error) {
		mu.Lock()
		opened = append(opened, path)
		gone = len(opened) == 1
		mu.Unlock()
		return line.Open("/dev/ttyUSB0", baud)
	}
	l := link.ListenFast(cfg)
	for end := time.Now().Add(found * 10); time.Now().Before(end); time.Sleep(time.Millisecond) {
		mu.Lock()
		n := len(opened)
		mu.Unlock()
		if n >= 2 {
			break
		}
	}
	_ = l.Close()
	<-l.Done()
	mu.Lock()
	defer mu.Unlock()
	if len(opened) < 2 || opened[0] != "/dev/ttyUSB0" || opened[1] != "/dev/ttyUSB1" {
		t.Errorf("opened %v", opened)
	}
}

func TestLineAtTheWrongSpeedIsNoConnectionAndPasses(t *testing.T) {
	for _, wrong := range []int{2400, 9600, 19200, 57600, 115200} {
		bubble(t, 38400, func(t *testing.T, d *desk) {
			d.line.C64Baud(wrong)
			p := newPeer(d)
			for range 30 {
				if got := p.ask(link.Packet{Kind: link.Open, Nonce: 0x5aa5, Number: 1}); len(got) > 0 {
					t.Errorf("%d: %+v", wrong, got)
				}
				_, _ = p.port.Write(noise(uint64(wrong), 300))
			}
			p.close()
			d.line.C64Baud(38400)
			c, b := d.dial(linktest.Config{})
			bothWays(t, c, b, 300)
		})
	}
}

func TestGarbageAndHalfPacketsAreNoConnectionAndPass(t *testing.T) {
	withPeer(t, func(t *testing.T, d *desk, p *peer) {
		open := link.Packet{Kind: link.Open, Nonce: 7, Number: 1}.AppendTo(nil)
		for seed := range uint64(8) {
			if got := p.raw(noise(seed, 500)); len(got) > 0 {
				t.Errorf("noise %d: %+v", seed, got)
			}
			for n := range len(open) - 1 {
				want(t, "half a packet", p.raw(open[:n]), 7)
			}
			// A half one does not spoil the whole one behind it.
			want(t, "then a whole one", p.raw(append(open[:3:3], open...)), 7, link.Opened)
			want(t, "CLOSE", p.ask(link.Packet{Kind: link.Close, Nonce: 7}), 7, link.Close)
			_ = d.accept().Close()
		}
	})
}
