package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/web"
)

// A bridge with a serial line offers the program for it, at the line's speed;
// one without hands out the usual one, whatever is asked for.
func TestProgramForTheSerialLineHasItsSpeed(t *testing.T) {
	r := ready(t, func(c *web.Config) {
		c.Program = func(p web.Program) ([]byte, error) { return fmt.Append(nil, p.Host, " at ", p.Baud), nil }
	})
	if page := r.get("/c64"); strings.Contains(page.body, "link=serial") {
		t.Error("a line is offered that is not there")
	}
	if got := r.get("/prompt64.prg?link=serial").body; got != "192.168.1.20 at 0" {
		t.Errorf("without a line: %q", got)
	}
	err := r.store.Update(func(s *config.Settings) error {
		s.Serial.Port, s.Serial.Baud = "/dev/ttyUSB0", 9600
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	page := r.get("/c64")
	r.says(page, http.StatusOK, "At the serial line", "9600")
	for _, link := range []string{"/prompt64.prg?link=serial", "/prompt64.d64?link=serial"} {
		if !strings.Contains(page.body, link) {
			t.Errorf("the page has no %s", link)
		}
	}
	if got := r.get("/prompt64.prg?link=serial").body; got != "192.168.1.20 at 9600" {
		t.Errorf("with a line: %q", got)
	}
	if got := r.get("/prompt64.prg").body; got != "192.168.1.20 at 0" {
		t.Errorf("over the network: %q", got)
	}
	r.host = "[fd00::1]:8064" // no address for a C64, but the line needs none
	if res := r.get("/prompt64.prg?link=serial"); res.StatusCode != http.StatusOK {
		t.Errorf("by an IPv6 address: status %d", res.StatusCode)
	}
}
