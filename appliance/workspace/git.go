package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// memoryLimit is what git may take, file mappings aside: a repository can be made
// so that its trees have more entries than any memory.
const memoryLimit = 512 << 20

// pipeWait is how long after git's end its pipes may stay open before whoever
// still holds them is killed. They are read to their ends within it, too, for which
// a busy machine may take seconds.
const pipeWait = 5 * time.Second

// errPipes says that git ended and its output did not.
var errPipes = errors.New("somebody holds its output")

// errCeiling says that git said more than the ceiling; what came before is good.
var errCeiling = errors.New("git said too much")

// run runs git in the box, without a shell, in a process group of its own that
// is killed when ctx ends. What comes on both outputs counts against the
// ceiling of the inspection.
func (b *box) run(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	program, err := exec.LookPath(b.program)
	if err != nil {
		return nil, ErrNoGit
	}
	if program, err = filepath.Abs(program); err != nil {
		return nil, ErrNoGit
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = b.tree(), b.environment(), bytes.NewReader(stdin)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = pipeWait
	room := &ceiling{left: outputCeiling - b.said, full: stop}
	outBuffer, saidBuffer := new(bytes.Buffer), new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = guarded.Writer("output of git", room.limit(outBuffer)), guarded.Writer("log of git", room.limit(saidBuffer))
	if err = b.start(cmd); err == nil {
		limitMemory(cmd.Process.Pid)
		err = cmd.Wait()
	}
	out, said := room.taken(outBuffer), room.taken(saidBuffer)
	b.said += len(out) + len(said)
	if errors.Is(err, exec.ErrWaitDelay) { // someone in the group lives and holds a pipe
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		err = errPipes
	}
	switch {
	case room.reached():
		return out, errCeiling
	case err == nil:
		return out, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, gitError(args[0], said, err)
}

// start starts git behind the kernel's wall where there is one.
func (b *box) start(cmd *exec.Cmd) error {
	if b.confine {
		if err := b.startConfined(cmd); !errors.Is(err, errNoLandlock) {
			return err
		}
	}
	return b.user.Start(cmd)
}

// gitError gives the first line of what git said.
func gitError(verb string, said []byte, err error) error {
	line, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
	line = strings.TrimPrefix(strings.TrimPrefix(line, "fatal: "), "error: ")
	if line == "" {
		return fmt.Errorf("git %s: %w", verb, err)
	}
	return fmt.Errorf("git %s: %.40s: %w", verb, line, err)
}

func exitedWith(err error, code int) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == code
}

// environment is the whole environment of git: nothing of ours is inherited but
// the search path. GIT_ALLOW_PROTOCOL is empty, so nothing is ever fetched.
func (b *box) environment() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + b.dir, "XDG_CONFIG_HOME=" + b.dir,
		"LC_ALL=C", "TZ=UTC",
		"GIT_DIR=" + b.gitDir(), "GIT_WORK_TREE=" + b.tree(),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1",
		"GIT_OPTIONAL_LOCKS=0", "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1",
		"GIT_LITERAL_PATHSPECS=1", "GIT_ALLOW_PROTOCOL=", "GIT_TERMINAL_PROMPT=0",
		"GIT_PAGER=cat", "GIT_EDITOR=false", "GIT_ASKPASS=false", "SSH_ASKPASS=false", "GIT_SSH=false",
	}
}

// ceiling is the room that is left for all outputs together.
type ceiling struct {
	mu   sync.Mutex
	left int
	over bool
	full func() // called once when the room is used up
}

func (c *ceiling) reached() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}

// taken gives what came so far: a pipe that was given up may still deliver.
func (c *ceiling) taken(b *bytes.Buffer) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Clone(b.Bytes())
}

func (c *ceiling) limit(to *bytes.Buffer) *ceilingWriter { return &ceilingWriter{c, to} }

type ceilingWriter struct {
	room *ceiling
	to   *bytes.Buffer
}

// Write keeps what there is room for and claims to have taken all, so that the
// program is ended by the signal and not by a broken pipe.
func (w *ceilingWriter) Write(p []byte) (int, error) {
	c := w.room
	c.mu.Lock()
	defer c.mu.Unlock()
	n := min(len(p), c.left)
	w.to.Write(p[:n])
	c.left -= n
	if n < len(p) && !c.over {
		c.over = true
		c.full()
	}
	return len(p), nil
}
