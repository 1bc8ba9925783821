package host

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/wifi"
)

// stopTime is how long a client may take to end by itself.
const stopTime = 2 * time.Second

// client is a DHCP client that runs.
type client struct {
	cmd  *exec.Cmd
	done chan struct{}
	once sync.Once
}

// StartDHCP starts the DHCP client for an interface.
func (h *Host) StartDHCP(ifname string) (wifi.DHCP, error) {
	argv := append(slices.Clone(h.cfg.DHCP), "-interface="+ifname)
	c := &client{cmd: exec.Command(argv[0], argv[1:]...), done: make(chan struct{})}
	c.cmd.SysProcAttr = childAttributes()
	read, write := io.Pipe()
	c.cmd.Stdout, c.cmd.Stderr = write, write
	c.cmd.WaitDelay = stopTime
	var log sync.WaitGroup
	guarded.In(&log, "DHCP client's log", func() {
		logLines(h.cfg.Log.With("interface", ifname), read)
	}, func(err error) { _ = read.CloseWithError(err) })
	started := make(chan error, 2)
	guarded.Go("DHCP client", func() {
		c.run(started, func() {
			_ = write.Close()
			log.Wait()
		})
	}, func(err error) { started <- err })
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start the DHCP client: %w", err)
	}
	return c, nil
}

// run starts the child and waits for its end. The thread that starts it must
// outlive it: the kernel ends the child with that thread (prctl(2),
// PR_SET_PDEATHSIG), and Go ends threads as it likes.
func (c *client) run(started chan<- error, closeLog func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(c.done)
	defer closeLog()
	err := c.cmd.Start()
	started <- err
	if err == nil {
		_ = c.cmd.Wait()
	}
}

// logLines logs what a client says. It says it for the console, with a date.
func logLines(log *slog.Logger, r io.Reader) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		log.Debug("wifi: DHCP: " + lines.Text())
	}
	_, _ = io.Copy(io.Discard, r)
}

// Done is closed when the client has ended.
func (c *client) Done() <-chan struct{} { return c.done }

// Stop ends the client, gently at first, and waits for its end.
func (c *client) Stop() {
	c.once.Do(func() {
		_ = c.cmd.Process.Signal(syscall.SIGTERM)
		timer := time.NewTimer(stopTime)
		defer timer.Stop()
		select {
		case <-c.done:
		case <-timer.C:
			_ = c.cmd.Process.Kill()
		}
	})
	<-c.done
}
