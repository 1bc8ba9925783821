package codex

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/privsep"
	"github.com/prompt64/prompt64/appliance/provider"
)

// How long the app-server may take to go: after its input was closed, and after
// it was told to. Together with the ends of the sessions before it they stay
// below the five seconds of a Close.
const (
	eofGrace  = 1500 * time.Millisecond
	termGrace = time.Second
	pipeGrace = time.Second // for what a child of it holds open
)

// process is an app-server that we started, in a process group of its own.
type process struct {
	streams
	run    string // the mark of what it starts
	stdout *os.File
	cmd    *exec.Cmd
	exited chan struct{} // closed when it has ended
	stderr *tail
	once   sync.Once
}

var _ transport = (*process)(nil)

// startProcess starts the command. Its errors say what to do.
func startProcess(user *privsep.User, argv, env []string, log *slog.Logger) (*process, error) {
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start codex: %w", err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		closeAll(inR, inW)
		return nil, fmt.Errorf("start codex: %w", err)
	}
	errR, errW, err := os.Pipe()
	if err != nil {
		closeAll(inR, inW, outR, outW)
		return nil, fmt.Errorf("start codex: %w", err)
	}
	run := newRun()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = inR, outW, errW, append(env, runVariable+"="+run)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = user.Start(cmd)
	closeAll(inR, outW, errW) // the child has its own
	if err != nil {
		closeAll(inW, outR, errR)
		return nil, startError(argv[0], err)
	}
	p := &process{
		streams: newStreams(provider.NewPipe(outR), inW),
		run:     run, stdout: outR, cmd: cmd,
		exited: make(chan struct{}),
		stderr: newTail(errR, log),
	}
	guarded.Go("codex process", func() { p.wait(errR) }, func(error) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	return p, nil
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

// startError turns a failed start into words. Codex itself can be installed from
// here; another program is one that the user named.
func startError(name string, err error) error {
	switch {
	case !errors.Is(err, exec.ErrNotFound) && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("start codex: %w", err)
	case filepath.Base(name) == "codex":
		return &provider.Advice{Words: "Codex is not installed. Install it on the pages: Set-up, Agent",
			Shell: "Codex is not installed. Run: prompt64 agent install codex", Err: err}
	}
	return &provider.Advice{Words: "There is no program " + filepath.Base(name) + " to run Codex with. Check -codex", Err: err}
}

// wait collects the process and ends what it left behind. A child that was not
// found may hold its pipes: they are read for a moment more.
func (p *process) wait(stderr *os.File) {
	defer close(p.exited)
	_ = p.cmd.Wait() // the state tells it
	sweepRun(p.run)
	deadline := time.Now().Add(pipeGrace)
	_ = p.stdout.SetReadDeadline(deadline)
	_ = stderr.SetReadDeadline(deadline)
	_ = p.w.Close()
	p.stderr.wait()
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
}

// end implements transport.
func (p *process) end() {
	_ = p.w.Close() // the app-server goes at the end of its input
	for _, step := range []struct {
		wait   time.Duration
		signal syscall.Signal
	}{{eofGrace, syscall.SIGTERM}, {termGrace, syscall.SIGKILL}} {
		timer := time.NewTimer(step.wait)
		select {
		case <-p.exited:
			timer.Stop()
			p.closeStdout()
			return
		case <-timer.C:
			_ = syscall.Kill(-p.cmd.Process.Pid, step.signal)
		}
	}
	<-p.exited
	p.closeStdout()
}

// kill implements transport.
func (p *process) kill() {
	select {
	case <-p.exited: // the number may be another's by now
	default:
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	}
	_ = p.w.Close()
}

// closeStdout frees the descriptor once nobody can read it any more.
func (p *process) closeStdout() { p.once.Do(func() { _ = p.stdout.Close() }) }

// why implements transport.
func (p *process) why(error) string {
	_ = p.w.Close()
	select {
	case <-p.exited:
	case <-time.After(eofGrace + pipeGrace): // it closed its output and lives on
		p.kill()
		<-p.exited
	}
	p.closeStdout()
	words := "codex ended: " + p.cmd.ProcessState.String()
	if last := p.stderr.last(); last != "" {
		words += ": " + last
	}
	return words
}
