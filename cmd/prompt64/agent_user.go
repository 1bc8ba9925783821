package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/privsep"
	"github.com/prompt64/prompt64/appliance/workspace"
)

// agentUser is who the agent and its git are on a device; on a workstation they are
// whoever started the bridge.
type agentUser struct {
	name  string // empty: nobody in particular
	home  string
	group string // of cgroups
}

var deviceUser = agentUser{name: "agent", home: "/perm/agent", group: "/sys/fs/cgroup"}

// agentTasks is how many processes and threads the agent's programs may have: a few
// times what Codex and a build take, and no fork bomb.
const agentTasks = 1024

// openUser makes the agent's user ready. Where that fails the agent does not run:
// never as root instead.
func (a *app) openUser() {
	want := a.options.user
	if want.name == "" || os.Geteuid() != 0 {
		return
	}
	known, err := user.Lookup(want.name)
	if err != nil {
		// The images have one, see image/build; this is another system.
		a.log.Warn("the agent has the rights of this program: there is no user for it", "name", want.name)
		return
	}
	id, err := strconv.Atoi(known.Uid)
	if err == nil {
		a.user, err = privsep.Open(privsep.Options{
			ID: id, Home: want.home, Group: want.group, Memory: privsep.Memory(), Tasks: agentTasks,
			Log: a.log.With("part", "user"),
		})
	}
	if err != nil {
		a.user = privsep.Refusing(fmt.Errorf("the agent does not run, since it would have all rights: %w", err))
		a.trouble(err)
		return
	}
	a.onClose(func(context.Context) error { return a.user.Close() })
	for _, lack := range a.user.Lacks() {
		a.log.Info("the agent is less confined", "reason", lack)
	}
	if err := a.openToUser(a.data.path); err != nil {
		a.trouble(fmt.Errorf("%s (the agent cannot use its folders)", diskWords(err)))
	}
}

// openToUser lets the user pass through the data folder to what is its own, without
// seeing what else there is: everything in it is for root alone or holds no secret.
func (a *app) openToUser(data string) error {
	if a.user == nil {
		return nil
	}
	if err := os.Chmod(data, 0o711); err != nil {
		return err
	}
	// An agent that was installed before agents had a user.
	store := filepath.Join(data, "agents")
	for _, dir := range []string{store, filepath.Join(store, agent.Codex), filepath.Join(store, agent.Codex, "versions"), filepath.Join(store, agent.Codex, "staging")} {
		if err := os.Chmod(dir, 0o755); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	home := filepath.Join(data, "codex")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	return a.user.Own(home)
}

// inspecting lets the bridge look at the workspaces with the user's rights, in a
// folder that the agent cannot enter: the owner's picture of what was changed is not
// the agent's to paint.
func (a *app) inspecting() ([]workspace.Option, error) {
	if a.user == nil {
		return nil, nil
	}
	inspector := a.user.Inspector()
	dir, err := inspector.PrivateFolder()
	if err != nil {
		return nil, fmt.Errorf("inspect the workspaces: %w", err)
	}
	a.onClose(func(context.Context) error { return os.RemoveAll(dir) })
	return []workspace.Option{workspace.WithUser(inspector), workspace.WithTemp(dir)}, nil
}
