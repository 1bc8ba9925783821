package host

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience is for what another process does on a slow machine.
const patience = time.Minute

// script makes a DHCP client of a shell script.
func script(t *testing.T, text string) *Host {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dhcp")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return New(Config{DHCP: []string{path, "-extra_route_priority=10"}})
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

func TestDHCPClientIsToldItsInterfaceAndItsPlaceBehindEthernet(t *testing.T) {
	out := filepath.Join(t.TempDir(), "argv")
	c, err := script(t, `echo "$@" >`+out).StartDHCP("wlan7")
	if err != nil {
		t.Fatal(err)
	}
	<-c.Done()
	c.Stop()
	got, _ := os.ReadFile(out)
	if want := "-extra_route_priority=10 -interface=wlan7\n"; string(got) != want {
		t.Errorf("command line is %q, want %q", got, want)
	}
	if def := New(Config{}).cfg.DHCP; def[0] != "/gokrazy/dhcp" || !strings.HasPrefix(def[1], "-extra_route_priority=") {
		t.Errorf("the default is %q", def)
	}
}

func TestStoppedDHCPClientIsGone(t *testing.T) {
	for name, text := range map[string]string{
		"polite":   `echo $$ >PID; exec sleep 1000`,
		"stubborn": `trap "" TERM; echo $$ >PID; while :; do sleep 1; done`,
	} {
		t.Run(name, func(t *testing.T) {
			pidFile := filepath.Join(t.TempDir(), "pid")
			c, err := script(t, strings.ReplaceAll(text, "PID", pidFile)).StartDHCP("wlan0")
			if err != nil {
				t.Fatal(err)
			}
			var pid int
			eventually(t, "a process", func() bool {
				data, _ := os.ReadFile(pidFile)
				pid, err = strconv.Atoi(strings.TrimSpace(string(data)))
				return err == nil
			})
			c.Stop()
			c.Stop()
			if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
				t.Errorf("process %d after Stop: %v", pid, err)
			}
		})
	}
}

func TestDHCPClientThatCannotStartSaysWhy(t *testing.T) {
	h := New(Config{DHCP: []string{"/nonexistent/dhcp"}})
	if _, err := h.StartDHCP("wlan0"); err == nil || !strings.Contains(err.Error(), "start the DHCP client") {
		t.Errorf("error is %v", err)
	}
}

func TestWhatTheDHCPClientSaysIsLogged(t *testing.T) {
	var log bytes.Buffer
	h := script(t, `echo "no offer" >&2`)
	h.cfg.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	c, err := h.StartDHCP("wlan0")
	if err != nil {
		t.Fatal(err)
	}
	<-c.Done()
	if got := log.String(); !strings.Contains(got, "no offer") || !strings.Contains(got, "interface=wlan0") {
		t.Errorf("log is %q", got)
	}
}
