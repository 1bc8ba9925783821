package vm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prompt64/prompt64/image/nbd"
)

// VM is a machine that runs.
type VM struct {
	cmd    *exec.Cmd
	ports  map[int]int // guest's to ours
	serial *console
	dir    string // of the disk's socket
	disk   *nbd.Disk
	server *nbd.Server

	exited chan struct{} // closed when the process has ended
	err    error         // what it ended with, and what it said
	tidy   sync.Once
}

// startTries is how often other ports are taken when somebody else was quicker.
const startTries = 5

// Start starts a machine. It runs until Stop or Kill, or until its disk's power
// fails.
func Start(c Config) (*VM, error) {
	if err := Available(c.Machine); err != nil {
		return nil, fmt.Errorf("start a machine: %w", err)
	}
	var last error
	for range startTries {
		v, err := start(c)
		if err == nil {
			return v, nil
		}
		last = err
		if !strings.Contains(err.Error(), "host forwarding rule") {
			break
		}
	}
	return nil, fmt.Errorf("start a machine: %w", last)
}

func start(c Config) (*VM, error) {
	v := &VM{ports: map[int]int{}, exited: make(chan struct{})}
	disk, err := v.openDisk(c)
	if err != nil {
		return nil, errors.Join(err, v.closeDisk())
	}
	forward, err := v.takePorts(c.Ports)
	if err != nil {
		return nil, errors.Join(err, v.closeDisk())
	}
	v.serial = newConsole(c.Serial)
	var said bytes.Buffer
	v.cmd = exec.Command(emulators[c.Machine], c.arguments(disk, forward)...)
	v.cmd.Stdout, v.cmd.Stderr = v.serial, &said
	if err := v.launch(&said); err != nil {
		return nil, errors.Join(err, v.closeDisk())
	}
	// QEMU that cannot have its ports ends at once, and opens its console last.
	select {
	case <-v.exited:
		return nil, errors.Join(v.err, v.closeDisk())
	case <-v.serial.first:
		return v, nil
	case <-time.After(30 * time.Second):
		return v, nil
	}
}

// launch starts the process from a thread that lives as long as it does: on Linux
// the kernel kills it when that thread ends (see ties).
func (v *VM) launch(said *bytes.Buffer) error {
	started := make(chan error)
	go tied(func() {
		v.cmd.SysProcAttr = ties()
		if err := v.cmd.Start(); err != nil {
			started <- err
			return
		}
		started <- nil
		err := v.cmd.Wait()
		v.err = fmt.Errorf("the machine has ended: %w: %s", errors.Join(err), strings.TrimSpace(said.String()))
		close(v.exited)
	})
	if err := <-started; err != nil {
		return err
	}
	if v.disk != nil {
		go func() {
			select {
			case <-v.disk.Cut():
				_ = v.cmd.Process.Kill()
			case <-v.exited:
			}
		}()
	}
	return nil
}

// openDisk returns QEMU's description of the disk.
func (v *VM) openDisk(c Config) (string, error) {
	if c.Fault == nil {
		name := strings.ReplaceAll(c.Image, ",", ",,")
		if c.Scratch {
			return "format=raw,snapshot=on,file=" + name, nil
		}
		return "format=raw,file=" + name, nil
	}
	var err error
	if v.dir, err = os.MkdirTemp("", "vm-"); err != nil { // a socket's path must be short
		return "", err
	}
	if v.disk, err = nbd.Open(c.Image, *c.Fault); err != nil {
		return "", err
	}
	socket := filepath.Join(v.dir, "disk")
	if v.server, err = nbd.Serve(v.disk, socket); err != nil {
		return "", err
	}
	return "format=raw,file=nbd+unix:///?socket=" + socket, nil
}

func (v *VM) closeDisk() error {
	var errs []error
	if v.server != nil {
		v.server.Close()
	}
	if v.disk != nil {
		errs = append(errs, v.disk.Close())
	}
	if v.dir != "" {
		errs = append(errs, os.RemoveAll(v.dir))
	}
	return errors.Join(errs...)
}

// takePorts finds free ports of loopback and returns the rules for QEMU.
func (v *VM) takePorts(guest []int) (string, error) {
	var rules strings.Builder
	for _, g := range guest {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", err
		}
		defer l.Close() // only when all are found: no port is found twice
		v.ports[g] = l.Addr().(*net.TCPAddr).Port
		fmt.Fprintf(&rules, ",hostfwd=tcp:127.0.0.1:%d-:%d", v.ports[g], g)
	}
	return rules.String(), nil
}

// Addr is where a port of the guest is reached.
func (v *VM) Addr(guest int) *net.TCPAddr {
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: v.ports[guest]}
}

// URL is the address of a page on a port of the guest.
func (v *VM) URL(guest int, path string) string {
	return "http://127.0.0.1:" + strconv.Itoa(v.ports[guest]) + path
}

// Exited is closed when the machine has ended by itself, was stopped or killed.
func (v *VM) Exited() <-chan struct{} { return v.exited }

// Disk is the disk whose power can fail; nil without Config.Fault.
func (v *VM) Disk() *nbd.Disk { return v.disk }

// Console is what the machine wrote to its console so far.
func (v *VM) Console() string { return v.serial.text() }

// Kill ends the machine at once, as a cut of the power does.
func (v *VM) Kill() error {
	if v.disk != nil {
		if err := v.disk.Fail(); err != nil {
			return err
		}
	}
	return v.Stop()
}

// Stop ends the machine and everything that belongs to it. What an nbd.Disk holds
// becomes durable, unless its power failed.
func (v *VM) Stop() error {
	_ = v.cmd.Process.Kill()
	<-v.exited
	var err error
	v.tidy.Do(func() { err = v.closeDisk() })
	return err
}

// pollEvery is how often a machine is asked whether it is there.
const pollEvery = 200 * time.Millisecond

// Wait calls ready until it returns nil. It gives up when ctx is done or the
// machine has ended, and then says what is on the console.
func (v *VM) Wait(ctx context.Context, ready func(context.Context) error) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-v.exited:
			return errors.Join(v.err, err)
		case <-ctx.Done():
			return fmt.Errorf("%w: %w; the console ends with\n%s", context.Cause(ctx), err, lastLines(v.Console(), 25))
		case <-tick.C:
		}
	}
}

// A try for a page that gets no answer was made before the guest listened, or the
// guest is slow: the next one may take twice as long.
const (
	firstTry = 5 * time.Second
	lastTry  = time.Minute
)

// WaitHTTP waits for a page.
func (v *VM) WaitHTTP(ctx context.Context, port int, path string) error {
	client := &http.Client{Timeout: firstTry, Transport: &http.Transport{DisableKeepAlives: true}}
	return v.Wait(ctx, func(ctx context.Context) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, v.URL(port, path), nil)
		if err != nil {
			return err
		}
		a, err := client.Do(r)
		if err != nil {
			if os.IsTimeout(err) {
				client.Timeout = min(2*client.Timeout, lastTry)
			}
			return err
		}
		a.Body.Close()
		if a.StatusCode != http.StatusOK {
			return fmt.Errorf("GET %s: %s", path, a.Status)
		}
		return nil
	})
}

// WaitConsole waits for a line on the console.
func (v *VM) WaitConsole(ctx context.Context, line *regexp.Regexp) error {
	return v.Wait(ctx, func(context.Context) error {
		if line.MatchString(v.Console()) {
			return nil
		}
		return fmt.Errorf("the console does not say %s", line)
	})
}

func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
