package main

import (
	"context"
	"io"
	"net"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/frames"
)

func TestGreetingIsTheProtocolsOwn(t *testing.T) {
	if want := string(frames.Hello{}.AppendTo(nil)); hello != want {
		t.Errorf("%q, want %q", hello, want)
	}
	if maxPayload != frames.MaxPayloadToC64 {
		t.Errorf("%d, want %d", maxPayload, frames.MaxPayloadToC64)
	}
}

func TestAnyWellFormedFrameIsALife(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		alive  bool
	}{
		"HelloOk":        {string(frames.HelloOk{Major: 2}.AppendTo(nil)), true},
		"NOT PAIRED":     {string(frames.Error{Text: []byte(frames.ErrorNotPaired)}.AppendTo(nil)), true},
		"nothing":        {"", false},
		"half a frame":   {"\x7f\x00\x0a\x00BRID", false},
		"another server": {"HTTP/1.1 400 Bad Request\r\n\r\n", false},
		"too long":       {"\x7f\x00\x5d\x00" + strings.Repeat("x", 93), false},
	} {
		t.Run(name, func(t *testing.T) {
			l := mustListen()
			defer l.Close()
			go func() {
				nc, err := l.Accept()
				if err == nil {
					_, _ = io.ReadFull(nc, make([]byte, len(hello)))
					_, _ = io.WriteString(nc, c.answer)
					_ = nc.Close()
				}
			}()
			if err := helloTrip(t.Context(), l.Addr().String()); (err == nil) != c.alive {
				t.Errorf("alive: %v", err)
			}
		})
	}
}

func TestBridgeThatTakesTheConnectionAndIsSilentIsDead(t *testing.T) {
	l := mustListen() // the kernel takes it
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := helloTrip(ctx, l.Addr().String()); err == nil {
		t.Error("it is taken for alive")
	}
	if err := pagesTrip(ctx, l.Addr().String()); err == nil {
		t.Error("its pages are taken for alive")
	}
	gone := mustListen()
	_ = gone.Close()
	if err := helloTrip(t.Context(), gone.Addr().(*net.TCPAddr).String()); err == nil {
		t.Error("nobody is taken for alive")
	}
}

// A fault in what guard shares with the bridge would blind both.
func TestGuardSharesNothingWithTheBridgeButItsLog(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/prompt64/prompt64/"
	allowed := []string{
		module + "appliance/guardlog", module + "cmd/guard",
		"github.com/mdlayher/watchdog", "golang.org/x/sys/unix", // the kernel's calls, nothing of the bridge's
	}
	for _, got := range strings.Fields(string(out)) {
		if !slices.Contains(allowed, got) {
			t.Errorf("it needs %s", got)
		}
	}
}
