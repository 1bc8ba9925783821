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
