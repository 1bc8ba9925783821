package memory

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// child is a bridge in a process of its own.
type child struct {
	cmd  *exec.Cmd
	addr string
	log  bytes.Buffer
	out  io.Closer
	dir  string
}

// patience is how long the process may take to be ready, and to end.
const patience = 15 * time.Second

// start runs the program with the agent that its arguments choose, and waits for
// its ready line.
func start(ctx context.Context, program string, env []string, agent ...string) (*child, error) {
	dir, err := os.MkdirTemp("", "prompt64-bench-")
	if err != nil {
		return nil, err
	}
	c := &child{dir: dir}
	workspaces := filepath.Join(dir, "workspaces")
	if err := os.Mkdir(workspaces, 0o755); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	args := append([]string{"serve", "-data", filepath.Join(dir, "data"), "-workspaces", workspaces,
		"-listen", "127.0.0.1:0", "-web", "127.0.0.1:0"}, agent...)
	c.cmd = exec.CommandContext(ctx, program, args...)
	c.cmd.Env = append(os.Environ(), env...)
	c.cmd.Stderr = &c.log
	out, in, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	c.cmd.Stdout, c.out = in, out
	err = c.cmd.Start()
	_ = in.Close()
	if err != nil {
		return nil, errors.Join(err, out.Close(), os.RemoveAll(dir))
	}
	_ = out.SetReadDeadline(time.Now().Add(patience))
	if c.addr, err = ready(out); err != nil {
		stopped := c.stop()
		return nil, errors.Join(fmt.Errorf("%s serve: %w; its log: %s", program, err, c.log.String()), stopped)
	}
	return c, nil
}

// ready reads "ready bridge=HOST:PORT web=HOST:PORT".
func ready(r io.Reader) (string, error) {
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("no ready line: %w", err)
	}
	for _, field := range strings.Fields(line) {
		if addr, ok := strings.CutPrefix(field, "bridge="); ok {
			return addr, nil
		}
	}
	return "", fmt.Errorf("%q is no ready line", line)
}

// stop ends the process, as a service manager does, and takes its folder away.
func (c *child) stop() error {
	err := c.cmd.Process.Signal(syscall.SIGTERM)
	if errors.Is(err, os.ErrProcessDone) {
		err = nil
	}
	timer := time.AfterFunc(patience, func() { _ = c.cmd.Process.Kill() })
	defer timer.Stop()
	return errors.Join(err, c.cmd.Wait(), c.out.Close(), os.RemoveAll(c.dir))
}
