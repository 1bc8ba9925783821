package demo

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/privsep"
)

// How long a command may take to end by itself after a cancel, and how long its
// output is waited for after it ended: a child that left its group may hold the
// pipe for ever.
const (
	termGrace = time.Second
	pipeGrace = time.Second
)

// runCommand runs a command in a process group of its own and hands its output,
// both streams as they come, to write. When the context ends, or write fails,
// the group is asked to end, and killed a second later. No process of the group
// outlives the call.
func runCommand(ctx context.Context, user *privsep.User, dir string, argv []string, write func([]byte) error) (*os.ProcessState, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.Env = dir, w, w, environment(dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = user.Start(cmd)
	_ = w.Close() // the child has its own
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	read := make(chan error, 1)
	guarded.Go("demo output", func() {
		if copyOutput(r, write) != nil {
			stop()
		}
		read <- nil
	}, func(err error) {
		stop()
		read <- err
	})
	ended := make(chan error, 1)
	guarded.Go("demo command", func() { ended <- cmd.Wait() }, func(err error) { ended <- err })
	err = waitOrKill(ctx, cmd.Process.Pid, ended)
	_ = r.SetReadDeadline(time.Now().Add(pipeGrace))
	if fault := <-read; fault != nil {
		return nil, fault
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil // the state tells it
	}
	return cmd.ProcessState, err
}

// waitOrKill waits for the process that leads a group, and kills what is left
// of the group after it.
func waitOrKill(ctx context.Context, pid int, ended <-chan error) error {
	defer func() { _ = syscall.Kill(-pid, syscall.SIGKILL) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	_ = syscall.Kill(-pid, syscall.SIGTERM)
	timer := time.NewTimer(termGrace)
	defer timer.Stop()
	select {
	case err := <-ended:
		return err
	case <-timer.C:
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	return <-ended
}

// copyOutput reads until the end of the pipe, or until write fails.
func copyOutput(r io.Reader, write func([]byte) error) error {
	buf := make([]byte, 4096)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			if err := write(buf[:n]); err != nil {
				return err
			}
		}
		if err != nil {
			return nil // the end, or a child that holds the pipe too long
		}
	}
}

// environment is what a command gets to see: what it needs to run, and none of
// the bridge's own secrets.
func environment(dir string) []string {
	env := []string{"TERM=dumb", "NO_COLOR=1", "PAGER=cat", "GIT_TERMINAL_PROMPT=0", "PWD=" + dir}
	for _, name := range []string{"PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
