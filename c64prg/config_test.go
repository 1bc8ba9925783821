package c64prg_test

import (
	"strings"
	"testing"

	"github.com/prompt64/prompt64/c64prg"
)

func TestHostThatTheC64CannotDialIsRefused(t *testing.T) {
	good := []string{"a", "prompt64", "prompt64.local", "Pi-4.fritz.box", "my_nas", "192.168.1.20", "10.0.0.1",
		"4you", "1.2.3.example", "host.", strings.Repeat("h", 63)}
	for _, host := range good {
		if err := c64prg.CheckHost(host); err != nil {
			t.Errorf("%q: %v", host, err)
		}
	}
	bad := []string{"", " ", "a b", "host:6464", "::1", "[::1]", "a..b", ".a", "-a", "a-", "büro", "a\x00b", "a/b",
		"256.1.1.1", "1.2.3", "1.2.3.4.5", "1.2.3.4.", "127.1", "010.0.0.1", "a.b.3", strings.Repeat("h", 64)}
	for _, host := range bad {
		if err := c64prg.CheckHost(host); err == nil {
			t.Errorf("%q was taken", host)
		}
	}
}

func TestPairingCodeIsCheckedAndNeverRepeatedInTheError(t *testing.T) {
	for _, code := range []string{"", "ABCDEFGH", "23456789", "A2B3C4D5"} {
		if err := c64prg.CheckCode(code); err != nil {
			t.Errorf("%q: %v", code, err)
		}
	}
	for _, code := range []string{"A", "ABCDEFG", "ABCDEFGHI", "abcdefgh", "ABCDEFG0", "ABCDEFG1", "ABCD EFG", "ABCDEFG\x00"} {
		err := c64prg.CheckCode(code)
		if err == nil {
			t.Errorf("%q was taken", code)
		} else if len(code) > 1 && strings.Contains(err.Error(), code) {
			t.Errorf("error repeats the code: %v", err)
		}
	}
}

func TestPatchRefusesAConfigThatCannotWork(t *testing.T) {
	for name, change := range map[string]func(*c64prg.Config){
		"host": func(c *c64prg.Config) { c.Host = "no host" },
		"port": func(c *c64prg.Config) { c.Port = 0 },
		"code": func(c *c64prg.Config) { c.Code = "short" },
		"link": func(c *c64prg.Config) { c.Link = 3 },
	} {
		c := full()
		change(&c)
		if out, err := c64prg.Patch(synthetic(), c); err == nil || out != nil {
			t.Errorf("bad %s was patched in", name)
		}
	}
}

// A serial line needs no address; the numbers of its speeds are the program's.
func TestSpeedOfASerialLineIsCheckedAndNumbered(t *testing.T) {
	want := map[int]uint8{38400: 0, 19200: 1, 9600: 2, 4800: 3, 2400: 4, 57600: 5, 115200: 6}
	for _, baud := range c64prg.Bauds() {
		c, err := c64prg.Config{Port: 6464}.AtSpeed(baud)
		if err != nil || c.Link != c64prg.LinkACIA || c.Baud != want[baud] {
			t.Errorf("%d: %+v, %v", baud, c, err)
		}
		if err := c.Validate(); err != nil {
			t.Errorf("%d: %v", baud, err)
		}
	}
	if n := len(c64prg.Bauds()); n != len(want) {
		t.Errorf("%d speeds", n)
	}
	if _, err := (c64prg.Config{}).AtSpeed(300); err == nil || !strings.Contains(err.Error(), "300 baud") {
		t.Errorf("300: %v", err)
	}
	net, err := c64prg.Config{Host: "pi", Port: 6464, Link: c64prg.LinkACIA, Baud: 3}.AtSpeed(0)
	if err != nil || net.Link != c64prg.LinkUCI || net.Baud != 0 {
		t.Errorf("the network: %+v, %v", net, err)
	}
	for _, bad := range []c64prg.Config{{Port: 1}, {Port: 1, Link: c64prg.LinkAsk}, {Host: "a b", Port: 1, Link: c64prg.LinkACIA},
		{Host: "a", Port: 1, Baud: uint8(len(want))}} {
		if bad.Validate() == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}
