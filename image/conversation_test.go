package image

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/c64prg"
	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/drive"
	"github.com/prompt64/prompt64/c64prg/machine/uci"
	"github.com/prompt64/prompt64/image/vm"
)

// The ports of the device.
const (
	bridgePort = 6464
	pagesPort  = 80
)

// What an owner does first: flash, power on, take the program from the pages, talk.
func TestImageBootsAndAC64TalksToIt(t *testing.T) {
	v := boot(t, vm.Config{Machine: vm.PC, Image: image(t, "qemu-amd64"), Ports: []int{bridgePort, pagesPort}})
	converse(t, v)
}

// converse downloads the program, and plays the scripted conversation with the
// demo on a C64.
func converse(t *testing.T, v *vm.VM) {
	t.Helper()
	start := time.Now()
	if err := v.WaitHTTP(within(t, 5*time.Minute), pagesPort, "/"); err != nil {
		t.Fatal(err)
	}
	t.Logf("the pages answer after %.1f s", time.Since(start).Seconds())
	prg := download(t, v)
	c, err := c64prg.Read(prg)
	if err != nil {
		t.Fatal(err)
	}
	if c.Host != "127.0.0.1" || c.Port != bridgePort {
		t.Errorf("the program dials %s:%d, not where the browser found the page", c.Host, c.Port)
	}
	m := machine.New(machine.Options{Standard: machine.PAL, Strict: true, UCI: uci.Config{
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			if address != net.JoinHostPort(c.Host, fmt.Sprint(c.Port)) {
				return nil, fmt.Errorf("the program dials %s", address)
			}
			return (&net.Dialer{}).DialContext(ctx, network, v.Addr(bridgePort).String())
		},
	}})
	defer m.Close()
	if err := m.Load(prg); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../scripts/try.script")
	if err != nil {
		t.Fatal(err)
	}
	var screens strings.Builder
	d := drive.New(m, drive.Config{Glyphs: c64prg.Glyph})
	s := drive.Script{Driver: d, Out: &screens, Load: func() error { return m.Load(prg) }}
	if err := s.Run(strings.NewReader(string(script))); err != nil {
		t.Errorf("%v\n%s", err, d.Dump())
	}
	if !strings.Contains(screens.String(), "delta 30") {
		t.Error("the last screen is not printed")
	}
}

func download(t *testing.T, v *vm.VM) []byte {
	t.Helper()
	return []byte(get(t, v, "/prompt64.prg"))
}

// get reads a page.
func get(t *testing.T, v *vm.VM, path string) string {
	t.Helper()
	client := http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	a, err := client.Get(v.URL(pagesPort, path))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != http.StatusOK {
		t.Fatalf("download %s: %s, %v", path, a.Status, err)
	}
	return string(text)
}
