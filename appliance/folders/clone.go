package folders

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// Progress is how far a clone is.
type Progress struct {
	Stage   string // in words
	Percent int    // of this stage; -1: not known
}

const (
	pipeWait = 10 * time.Second // for git's pipes after its end, on a busy machine
	maxSaid  = 4 << 10          // of git's last words
)

// Clone makes a workspace of a repository. progress is called from one goroutine
// at a time. When ctx ends, so does git, and nothing is left.
func (k *Keeper) Clone(ctx context.Context, from Source, name string, progress func(Progress)) error {
	if err := errors.Join(CheckName(name), from.Check()); err != nil {
		return err
	}
	if !k.cloning.TryLock() {
		return ErrBusy
	}
	defer k.cloning.Unlock()
	if _, err := k.root.Lstat(name); err == nil {
		return ErrTaken
	}
	temp := making + rand.Text()
	defer func() { _ = k.root.RemoveAll(temp) }()
	if err := k.User.Do(func() error { return k.root.MkdirAll(temp+"/home", 0o700) }); err != nil {
		return fmt.Errorf("clone: %w", plain(err))
	}
	if err := k.run(ctx, from, filepath.Join(k.dir, temp), progress); err != nil {
		return err
	}
	// A rename puts a folder in the place of nothing else: Go refuses a folder
	// that exists, and the kernel a file.
	err := k.User.Do(func() error { return k.root.Rename(temp+"/tree", name) })
	if errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.ENOTDIR) {
		return ErrTaken
	}
	if err != nil {
		return fmt.Errorf("clone: %w", plain(err))
	}
	return nil
}

// run runs git in a process group of its own.
func (k *Keeper) run(ctx context.Context, from Source, temp string, progress func(Progress)) error {
	git, err := exec.LookPath("git")
	if err != nil {
		return errors.New("clone: there is no git on this machine")
	}
	cmd := exec.CommandContext(ctx, git, k.arguments(from, filepath.Join(temp, "tree"))...)
	cmd.Dir = temp
	cmd.Env = append(k.environment(filepath.Join(temp, "home")), from.credential()...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = pipeWait
	said := &speech{tell: progress}
	cmd.Stderr = guarded.Writer("progress of a clone", said)
	err = k.User.Run(cmd)
	if cmd.Process != nil && errors.Is(err, exec.ErrWaitDelay) {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("clone: %w", context.Cause(ctx))
	case err != nil:
		return errors.New("clone: " + said.reason(err))
	}
	return nil
}

// arguments holds nothing secret. What the visitor wrote stands behind --.
func (k *Keeper) arguments(from Source, to string) []string {
	args := []string{
		"-c", "protocol.allow=never", "-c", "protocol.https.allow=always",
		"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "core.askPass=",
		"-c", "credential.helper=", "-c", "init.templateDir=", "-c", "transfer.fsckObjects=true",
		"-c", "submodule.recurse=false", "-c", "http.followRedirects=" + from.redirects(),
		"-c", "http.lowSpeedLimit=1", "-c", fmt.Sprintf("http.lowSpeedTime=%d", int(math.Ceil(k.Silence.Seconds()))),
		"clone", "--progress", "--no-recurse-submodules", "--template=", "--origin=origin",
	}
	if !from.Whole {
		args = append(args, "--depth=1")
	}
	return append(args, "--", from.address(), to)
}

// environment is all that git gets: nothing of ours but the search path.
func (k *Keeper) environment(home string) []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home, "LC_ALL=C", "TZ=UTC",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1",
		"GIT_ALLOW_PROTOCOL=https", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_SSH_COMMAND=false",
		"GIT_LFS_SKIP_SMUDGE=1",
	}
	if k.CAFile != "" {
		env = append(env, "GIT_SSL_CAINFO="+k.CAFile)
	}
	return env
}

// speech reads what git says: a line of progress ends with a carriage return.
type speech struct {
	tell func(Progress)
	line []byte
	last []string // lines that are no progress
	size int
}

// Write takes what git says. It never fails, since git would end then.
func (s *speech) Write(p []byte) (int, error) {
	for _, b := range p {
		switch {
		case b == '\r' || b == '\n':
			s.take(string(s.line))
			s.line = s.line[:0]
		case len(s.line) < 500:
			s.line = append(s.line, b)
		}
	}
	return len(p), nil
}

var stages = map[string]string{
	"Receiving objects": "receiving", "Resolving deltas": "putting together", "Updating files": "writing files",
	"remote: Counting objects": "the other side counts", "remote: Compressing objects": "the other side packs",
}

func (s *speech) take(line string) {
	name, rest, _ := strings.Cut(line, ":")
	if name == "remote" {
		more, after, _ := strings.Cut(strings.TrimSpace(rest), ":")
		name, rest = "remote: "+more, after
	}
	if stage, ok := stages[name]; ok {
		percent := -1
		_, _ = fmt.Sscanf(strings.TrimSpace(rest), "%d%%", &percent)
		if s.tell != nil {
			s.tell(Progress{stage, percent})
		}
		return
	}
	if line = strings.TrimSpace(line); line != "" && s.size < maxSaid {
		s.size += len(line)
		s.last = append(s.last, line)
	}
}

// reason is why git failed, in words where they are known.
func (s *speech) reason(err error) string {
	s.take(string(s.line))
	all := strings.Join(s.last, "\n")
	for _, known := range [][2]string{
		{"could not read Username", "the repository is not there, or it is private: for a private one, enter a token"},
		{"Authentication failed", "the token was refused"},
		{"Could not resolve host", "there is no machine of this name: check the address, and that this device is on the internet"},
		{"returned error: 30", "the repository has moved, and a token is shown to nobody but the server that you named: " +
			"open the address in a browser, and enter the one where it leads"},
		{"not found", "there is no repository at this address"},
		{"No space left", "the disk is full: delete a workspace first"},
		{"certificate", "the other side could not prove who it is: check the address, and that this device's clock is right"},
		{"Failed to connect", "the other side does not answer: check that this device is on the internet"},
		{"Could not connect", "the other side does not answer: check that this device is on the internet"},
		{"Operation too slow", "the other side says nothing any more: try again later"},
		{"RPC failed; curl", "the other side hung up half-way: try again"},
		{"early EOF", "the other side hung up half-way: try again"},
		{"'remote-https' is not a git command", "git on this machine lacks https"},
	} {
		if strings.Contains(all, known[0]) {
			return known[1]
		}
	}
	for _, line := range s.last {
		if text, ok := strings.CutPrefix(line, "fatal: "); ok {
			return "git says: " + text
		}
	}
	return "git failed: " + err.Error()
}
