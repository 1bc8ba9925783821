package acp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
	"github.com/prompt64/prompt64/appliance/privsep"
	"github.com/prompt64/prompt64/appliance/provider"
)

// How long each step of an agent's end may take. With the time for a cancel they
// stay below the five seconds that a session's Close has.
const (
	leaveTime = time.Second             // after the end of its input
	termTime  = 1500 * time.Millisecond // after SIGTERM
	pipeTime  = 500 * time.Millisecond  // a child may hold the output after its end
)

// process is an agent's process and the group that it leads.
type process struct {
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
	exited chan struct{} // closed after Wait
	err    error         // of Wait; read after exited

	stopped sync.Once
	mu      sync.Mutex
	last    string // the last line of its standard error
	logs    sync.WaitGroup
}

// startProcess runs a command in a folder, in a process group of its own. What it
// writes to its standard error goes to the log.
func startProcess(user *privsep.User, argv, env []string, dir string, log *slog.Logger) (*process, error) {
	var pipes [3][2]*os.File
	for i := range pipes {
		r, w, err := os.Pipe()
		if err != nil {
			closePipes(pipes)
			return nil, err
		}
		pipes[i] = [2]*os.File{r, w}
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = pipes[0][0], pipes[1][1], pipes[2][1]
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := user.Start(cmd); err != nil {
		closePipes(pipes)
		return nil, err
	}
	for _, theirs := range []*os.File{pipes[0][0], pipes[1][1], pipes[2][1]} {
		_ = theirs.Close() // the child has its own
	}
	p := &process{cmd: cmd, stdin: pipes[0][1], stdout: pipes[1][0], exited: make(chan struct{})}
	stderr := pipes[2][0]
	guarded.In(&p.logs, "agent's log", func() { p.drain(stderr, log) }, nil) // which closes it
	guarded.Go("agent's process", func() {
		defer close(p.exited)
		p.err = cmd.Wait()
		// Whoever holds the pipes now is not the agent.
		_ = p.stdout.SetReadDeadline(time.Now().Add(pipeTime))
		_ = stderr.SetReadDeadline(time.Now().Add(pipeTime))
	}, func(error) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	return p, nil
}

func closePipes(pipes [3][2]*os.File) {
	for _, p := range pipes {
		for _, f := range p {
			if f != nil {
				_ = f.Close()
			}
		}
	}
}

// drain reads the standard error to its end, whatever its lines are like.
func (p *process) drain(stderr *os.File, log *slog.Logger) {
	defer stderr.Close()
	r := bufio.NewReaderSize(provider.NewPipe(stderr), 1024)
	for {
		piece, err := r.ReadSlice('\n') // a longer line comes in pieces
		if line := provider.LogLine(string(piece)); line != "" {
			log.Debug("agent says", "line", line)
			p.mu.Lock()
			p.last = line
			p.mu.Unlock()
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			_, _ = io.Copy(io.Discard, stderr)
			return
		}
	}
}

// stop ends the process and its group: its input has been closed; then it is
// asked, then killed. It returns when nothing is left.
func (p *process) stop() { p.stopped.Do(p.end) }

func (p *process) end() {
	if !p.await(leaveTime) {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGTERM)
		p.await(termTime)
	}
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	<-p.exited
	p.logs.Wait()
}

// family lists what the process has started, as long as it is there to tell.
func (p *process) family() []kin {
	select {
	case <-p.exited:
		return nil
	default:
		return descendants(p.cmd.Process.Pid)
	}
}

func (p *process) await(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

// words say how a process ended that should not have.
func (p *process) words() string {
	state := "it ended"
	var exit *exec.ExitError
	if errors.As(p.err, &exit) {
		state = exit.String()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last == "" {
		return state
	}
	return fmt.Sprintf("%s: %s", state, p.last)
}
