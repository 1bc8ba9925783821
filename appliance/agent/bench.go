package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/prompt64/prompt64/appliance/privsep"
	"github.com/prompt64/prompt64/appliance/provider"
)

// Trial is a program to be tried.
type Trial struct {
	Program string        // its path
	Version string        // the expected one; empty: any
	Scratch string        // a folder that may be written in
	User    *privsep.User // runs it; nil: whoever runs this program
}

// bench is a place to try a program: a folder of its own beside the versions,
// since Codex dislikes a home beneath the temporary folder.
type bench struct {
	dir  string
	user *privsep.User
}

func newBench(t Trial) (*bench, error) {
	dir, err := os.MkdirTemp(t.Scratch, "test-")
	if err != nil {
		return nil, err
	}
	b := &bench{dir, t.User}
	for _, name := range []string{"home", "work", "tmp"} {
		if err := os.Mkdir(filepath.Join(b.dir, name), 0o700); err != nil {
			return nil, errors.Join(err, b.close())
		}
	}
	if err := os.WriteFile(filepath.Join(b.dir, "home", "config.toml"), []byte(quietConfig), 0o600); err != nil {
		return nil, errors.Join(err, b.close())
	}
	if err := t.User.Own(b.dir); err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

func (b *bench) close() error { return os.RemoveAll(b.dir) }

// command prepares a program to run on the bench, in a process group of its own
// and without the environment's secrets.
func (b *bench) command(ctx context.Context, path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = filepath.Join(b.dir, "work")
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + filepath.Join(b.dir, "home"),
		"CODEX_HOME=" + filepath.Join(b.dir, "home"),
		"TMPDIR=" + filepath.Join(b.dir, "tmp"),
		"RUST_LOG=error",
		"LANG=C.UTF-8",
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = goodbyeTime
	return cmd
}

// quietConfig keeps a program that is only being tried from reaching outside.
const quietConfig = `check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
apps = false
remote_plugin = false
plugin_sharing = false
skill_search = false
recommended_plugins = false
`

// startWords says why a program does not start.
func startWords(err error) error {
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		return errors.New("it is built for another machine")
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("%w: is its disk mounted with noexec?", err)
	}
	return err
}

// tail keeps the last that a program said.
type tail struct{ buf bytes.Buffer }

func (t *tail) Write(b []byte) (int, error) {
	t.buf.Write(b)
	if over := t.buf.Len() - maxNoise; over > 0 {
		t.buf.Next(over)
	}
	return len(b), nil
}

// String is what was said, for the end of an error.
func (t *tail) String() string {
	lines := strings.Split(strings.ToValidUTF8(t.buf.String(), "?"), "\n")
	for i, line := range lines {
		lines[i] = provider.LogLine(line)
	}
	text := strings.TrimSpace(strings.Join(lines, "\n"))
	if text == "" {
		return ""
	}
	return ": it said: " + text
}
