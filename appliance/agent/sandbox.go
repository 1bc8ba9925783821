package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/prompt64/prompt64/appliance/guarded"
)

// Sandbox tries whether the program can confine commands on this machine: one
// that only starts must run, and one that writes must fail.
func Sandbox(ctx context.Context, t Trial) error {
	b, err := newBench(t)
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	defer func() { _ = b.close() }()
	ctx, cancel := context.WithTimeoutCause(ctx, sandboxTime, fmt.Errorf("no end within %v", sandboxTime))
	defer cancel()
	if err := b.confined(ctx, t.Program, ":"); err != nil {
		return fmt.Errorf("sandbox: %w; commands of the agent would fail: %s", err, userNamespaceHint())
	}
	probe := filepath.Join(b.dir, "work", "probe")
	writeErr := b.confined(ctx, t.Program, ": > probe")
	if _, err := os.Lstat(probe); !errors.Is(err, fs.ErrNotExist) || writeErr == nil {
		return errors.New("sandbox: a command that may only read could write: do not use this version on this machine")
	}
	return nil
}

// confined runs a line of shell in the sandbox that may only read.
func (b *bench) confined(ctx context.Context, path, line string) error {
	shell := "/bin/sh"
	cmd := b.command(ctx, path, "sandbox", "-P", ":read-only", "-C", filepath.Join(b.dir, "work"), "--", shell, "-c", line)
	noise := &tail{}
	both := guarded.Writer("output of a trial", noise)
	cmd.Stdout, cmd.Stderr = both, both
	err := b.user.Run(cmd)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return fmt.Errorf("%w%s", startWords(err), noise)
}

// userNamespaceHint says what usually keeps a sandbox from working here.
func userNamespaceHint() string {
	for path, off := range map[string]struct{ value, words string }{
		"/proc/sys/user/max_user_namespaces":                     {"0\n", "this system allows no user namespaces: set user.max_user_namespaces with sysctl"},
		"/proc/sys/kernel/unprivileged_userns_clone":             {"0\n", "set kernel.unprivileged_userns_clone=1 with sysctl"},
		"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": {"1\n", "AppArmor keeps user namespaces from programs: set kernel.apparmor_restrict_unprivileged_userns=0 with sysctl, or give bwrap a profile"},
	} {
		if text, err := os.ReadFile(path); err == nil && string(text) == off.value {
			return off.words
		}
	}
	return "the sandbox needs user namespaces, which containers and some services take away"
}
