package image

import (
	"context"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
	"github.com/prompt64/prompt64/image/vm"
)

// run lets the demo run a command on the device, as somebody at a C64 does, and
// returns the whole conversation.
func run(t *testing.T, ctx context.Context, c *framestest.Client, command string) string {
	t.Helper()
	if err := c.Prompt("/run " + command); err != nil {
		t.Fatal(err)
	}
	a, err := c.WaitApproval(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Decide(a, frames.AcceptOnce); err != nil {
		t.Fatal(err)
	}
	if _, err := c.WaitEnd(ctx); err != nil {
		t.Fatal(err)
	}
	return c.Transcript().String()
}

// A command of the agent finds the shell, and git with what it needs.
func TestAgentHasAShellAndGit(t *testing.T) {
	v := boot(t, vm.Config{Machine: vm.PC, Image: image(t, "qemu-amd64"), Ports: []int{bridgePort}})
	ctx := within(t, patience)
	c := attach(t, ctx, v)
	// What is looked for is not in the commands, which are in the conversation too.
	got := run(t, ctx, c, `sh -c "git init -q x && cd x && date >a && git add a && git commit -q -m one && git log --format=%s-%s; readlink -f /bin/sh"`)
	for _, want := range []string{"one-one", "/bin/busybox"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	// Git's part that speaks HTTPS is there if it fails for the connection's sake.
	got = run(t, ctx, c, `sh -c "git ls-remote https://127.0.0.1/"`)
	if !strings.Contains(got, "unable to access") {
		t.Errorf("git does not speak HTTPS:\n%s", got)
	}
	if strings.Contains(got, "not a git command") || strings.Contains(got, "shared librar") {
		t.Errorf("git is not whole:\n%s", got)
	}
}

// The agent is a user of its own on the device, in a cgroup with the limits that the
// kernel has, and sees nothing of the bridge's.
func TestAgentOnTheDeviceHasNoRights(t *testing.T) {
	v := boot(t, vm.Config{Machine: vm.PC, Image: image(t, "qemu-amd64"), Ports: []int{bridgePort}})
	ctx := within(t, patience)
	c := attach(t, ctx, v)
	got := run(t, ctx, c, `sh -c "echo user $(id -u):$(id -g) home $HOME; grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status; cat /proc/self/cgroup; cat /sys/fs/cgroup/agent/pids.max; touch ~/mine && ls -n ~"`)
	flat := strings.Join(strings.Fields(strings.ReplaceAll(got, `\n`, " ")), " ") // it is quoted
	for _, want := range []string{"user 1000:1000 home /perm/agent", "CapEff: 0000000000000000", "CapBnd: 0000000000000000", "NoNewPrivs: 1", "0::/agent", " 1024 ", "1000 1000 0 "} {
		if !strings.Contains(flat, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	got = run(t, ctx, c, `sh -c "ls /perm/prompt64; cat /perm/prompt64/*.json /perm/prompt64/config.json /perm/prompt64/secrets.json; ls /perm/prompt64/log; head -c 9 /dev/vda; kill -9 1; kill -0 $PPID && echo ends-$((40+2)); touch /perm/x /perm/prompt64/x && echo writes-$((40+2))"`)
	if strings.Contains(got, canary) || strings.Contains(got, "-42") || strings.Count(got, "ermission denied") < 4 {
		t.Errorf("it may too much:\n%s", got)
	}
}
