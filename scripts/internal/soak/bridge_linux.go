package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/prompt64/prompt64/appliance/link/linktest"
)

// held is what a bridge holds.
type held struct {
	descriptors, goroutines, memory int // memory in KiB
}

func (h held) String() string {
	return fmt.Sprintf("%d descriptors, %d goroutines, %d KiB", h.descriptors, h.goroutines, h.memory)
}

// against says what h has more of than it should.
func (h held) against(before held) error {
	var errs []error
	for _, c := range []struct {
		what              string
		now, before, more int
	}{
		{"descriptors", h.descriptors, before.descriptors, moreDescriptors},
		{"goroutines", h.goroutines, before.goroutines, moreGoroutines},
		{"memory (KiB)", h.memory, before.memory, moreMemory},
	} {
		if c.now > c.before+c.more {
			errs = append(errs, fmt.Errorf("%s grew from %d to %d", c.what, c.before, c.now))
		}
	}
	return errors.Join(errs...)
}

// bridge is a real process.
type bridge struct {
	cmd  *exec.Cmd
	addr string
	log  bytes.Buffer // read once the process has ended
	done chan struct{}
	pty  *linktest.Pty
	dir  string
}

var readyLine = regexp.MustCompile(`^ready bridge=(\S+)`)

func startBridge(ctx context.Context, program string) (*bridge, error) {
	dir, err := os.MkdirTemp("", "soak")
	if err != nil {
		return nil, err
	}
	pty, err := linktest.OpenPty()
	if err != nil {
		return nil, err
	}
	b := &bridge{dir: dir, pty: pty, done: make(chan struct{})}
	b.cmd = exec.CommandContext(ctx, program, "serve", "-data", filepath.Join(dir, "data"),
		"-listen", "127.0.0.1:0", "-web", "127.0.0.1:0", "-serial", pty.Path+":115200")
	b.cmd.Stderr = &b.log
	out, err := b.cmd.StdoutPipe()
	if err == nil {
		err = b.cmd.Start()
	}
	if err != nil {
		return nil, errors.Join(err, pty.Close(), os.RemoveAll(dir))
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	go func() {
		defer close(b.done)
		_ = b.cmd.Wait()
	}()
	m := readyLine.FindStringSubmatch(line)
	if m == nil {
		b.end()
		return nil, fmt.Errorf("the bridge did not start: %q, %v: %s", line, err, b.log.String())
	}
	b.addr = m[1]
	return b, nil
}

// end ends the process, if it still runs.
func (b *bridge) end() {
	_ = b.cmd.Process.Kill()
	<-b.done
	_ = b.pty.Close()
	_ = os.RemoveAll(b.dir)
}

// held looks from outside, and then lets the bridge's last words count its
// goroutines: that ends it.
func (b *bridge) held() (held, error) {
	proc := fmt.Sprintf("/proc/%d/", b.cmd.Process.Pid)
	files, err := os.ReadDir(proc + "fd")
	if err != nil {
		return held{}, fmt.Errorf("the bridge is gone: %w", err)
	}
	status, err := os.ReadFile(proc + "status")
	if err != nil {
		return held{}, err
	}
	h := held{descriptors: len(files)}
	for line := range strings.Lines(string(status)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "VmRSS:" {
			h.memory, _ = strconv.Atoi(f[1])
		}
	}
	if err := b.cmd.Process.Signal(syscall.SIGQUIT); err != nil {
		return h, err
	}
	select {
	case <-b.done:
	case <-time.After(time.Minute):
		return h, errors.New("the bridge does not end when asked for its goroutines")
	}
	h.goroutines = strings.Count(b.log.String(), "\ngoroutine ")
	if h.goroutines == 0 || h.memory == 0 {
		return h, fmt.Errorf("the bridge told nothing: %+v: %s", h, b.log.String())
	}
	return h, nil
}
