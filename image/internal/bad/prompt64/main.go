// Command prompt64 is in the place of the bridge in updates that do no good, for
// tests. It keeps no promise of the bridge but those that it is about to break.
//
// How it fails is the serial number of the machine, as its BIOS tells it: one image
// is enough for all failures, and the version before it does not care.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// serialFile has the machine's serial number.
const serialFile = "/sys/class/dmi/id/product_serial"

// wellFor is how long those do well that fail late: long enough for guard to see it.
const wellFor = 30 * time.Second

var failures = map[string]func() error{
	"crash":  func() error { return fmt.Errorf("crash at once") },
	"loop":   func() error { serve(never); time.Sleep(wellFor); return fmt.Errorf("crash again and again") },
	"hang":   func() error { deafen(); serve(time.After(wellFor)); select {} },
	"silent": func() error { select {} },
	"idle":   func() error { serve(never); select {} },
	"panic":  func() error { serve(never); time.Sleep(wellFor); return panicKernel() },
	"memory": func() error { serve(never); time.Sleep(wellFor); return fillMemory() },
}

func main() {
	serial, err := os.ReadFile(serialFile)
	if err != nil {
		log.Fatal(err)
	}
	fail, ok := failures[strings.TrimSpace(string(serial))]
	if !ok {
		log.Fatalf("the serial number %q is no failure", serial)
	}
	say("the bad bridge starts, to fail by " + strings.TrimSpace(string(serial)))
	log.Fatal(fail())
}

// say prints to the console, where the test sees it.
func say(words string) { _ = os.WriteFile("/dev/console", []byte(words+"\n"), 0) }

// deafen ignores what a program that hangs cannot heed: that somebody wants its
// goroutines, or its end. One that was started again still dies of SIGQUIT, as a Go
// program does; the first since the machine's start does not, as if the kernel held
// it, so that only gokrazy can end it.
func deafen() {
	signal.Ignore(syscall.SIGUSR1, syscall.SIGTERM)
	if os.Getenv("GOKRAZY_FIRST_START") == "1" {
		signal.Ignore(syscall.SIGQUIT)
	}
}

var never <-chan time.Time

// serve answers guard until a moment, and no more after it.
func serve(until <-chan time.Time) {
	hung := make(chan struct{})
	go func() { <-until; close(hung) }()
	well := func() bool {
		select {
		case <-hung:
			return false
		default:
			return true
		}
	}
	go func() { log.Fatal(bridge(well)) }()
	go func() { log.Fatal(http.ListenAndServe(":80", pages(well))) }()
}

// bridge greets every C64.
func bridge(well func() bool) error {
	l, err := net.Listen("tcp", ":6464")
	if err != nil {
		return err
	}
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		if well() {
			_, _ = io.WriteString(c, "\x02\x00\x00\x00") // a frame with no payload
			time.AfterFunc(time.Second, func() { _ = c.Close() })
		}
	}
}

func pages(well func() bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !well() {
			select {}
		}
		fmt.Fprintln(w, "ok")
	}
}

// panicKernel returns only if the kernel does not let itself be told so.
func panicKernel() error {
	if err := os.WriteFile("/proc/sysrq-trigger", []byte("c"), 0); err != nil {
		return err
	}
	return fmt.Errorf("the kernel goes on")
}

// fillMemory takes memory until there is none.
func fillMemory() error {
	const step = 8 << 20
	for held := [][]byte{}; ; {
		b := make([]byte, step)
		for i := 0; i < step; i += 4096 {
			b[i] = 1
		}
		held = append(held, b)
	}
}
