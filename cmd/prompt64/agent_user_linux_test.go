package main

import (
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
)

// lowlyDevice starts a device whose agent is a user that has nothing on any machine,
// and attaches a C64.
func lowlyDevice(t *testing.T, prepare func(dir string)) (a *app, c *framestest.Client, dir string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can become somebody else")
	}
	dir, err := os.MkdirTemp("", "prompt64-device-") // others cannot enter a test's own
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	prepare(dir)
	o, err := parseServe(streams{out: io.Discard, err: io.Discard}, []string{"-device", "-data", filepath.Join(dir, "prompt64"),
		"-listen", "127.0.0.1:0", "-web", "127.0.0.1:0", "-provider", "demo"})
	if err != nil {
		t.Fatal(err)
	}
	o.wifi, o.boot = false, nil
	o.user = agentUser{name: "nobody", home: filepath.Join(dir, "agent"), group: "/nowhere"}
	if a, err = startApp(t.Context(), o, silent); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	c = framestest.New(framestest.Config{Dial: func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", a.bridgeAddr().String())
	}})
	t.Cleanup(func() { c.Close() })
	return a, c, dir
}

// allowed lets the demo do something as a user who accepts it, and returns the whole
// conversation.
func allowed(t *testing.T, ctx context.Context, c *framestest.Client, prompt string) string {
	t.Helper()
	if err := c.Prompt(prompt); err != nil {
		t.Fatal(err)
	}
	ask, err := c.WaitApproval(ctx)
	if err != nil {
		t.Fatalf("%s: %v", prompt, err)
	}
	if err := c.Decide(ask, frames.AcceptOnce); err != nil {
		t.Fatal(err)
	}
	if _, err := c.WaitEnd(ctx); err != nil {
		t.Fatal(err)
	}
	return c.Transcript().String()
}

func ownerOf(t *testing.T, path string) uint32 {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Sys().(*syscall.Stat_t).Uid
}

func TestDevicesAgentHasNoRightsAndWorksInItsFolders(t *testing.T) {
	a, c, dir := lowlyDevice(t, func(string) {})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := c.Connect(ctx); err != nil {
		t.Fatal(err)
	}
	if len(a.troubles) > 0 {
		t.Errorf("troubles %q", a.troubles)
	}
	if _, err := c.Workspace(ctx, "welcome"); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(a.data.path, "secrets.json")
	if err := os.WriteFile(secret, []byte("tweet-tweet"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := allowed(t, ctx, c, `/run sh -c "id -u; grep -E 'Cap(Eff|Bnd)|NoNewPrivs' /proc/self/status; cat `+secret+`; ls `+a.data.path+`; ln -s `+secret+` link; git init -q . && git add README.md && git -c user.name=a -c user.email=a@b commit -qm one && echo more >>README.md && echo $((2*21)) $HOME"`)
	for _, want := range []string{"65534", "NoNewPrivs: 1", "Permission denied", "42 " + filepath.Join(dir, "agent")} {
		if !strings.Contains(strings.Join(strings.Fields(got), " "), want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	if strings.Contains(got, "tweet-tweet") || strings.Contains(got, "running.json") || strings.Count(got, "0000000000000000") != 2 {
		t.Errorf("it sees or may too much:\n%s", got)
	}
	allowed(t, ctx, c, "/write sub/new.txt Hello")
	tree := filepath.Join(a.data.path, "workspaces", "welcome")
	for _, name := range []string{"", "README.md", "sub", "sub/new.txt", ".git/HEAD"} {
		if got := ownerOf(t, filepath.Join(tree, name)); got != 65534 {
			t.Errorf("%q belongs to %d", name, got)
		}
	}
	changes, err := c.Changes(ctx)
	if err != nil || len(changes) < 3 {
		t.Errorf("the review shows %v, %v", changes, err)
	}
}

// A device of before had its workspaces made by root.
func TestWorkspacesOfRootAreGivenToTheAgent(t *testing.T) {
	a, _, _ := lowlyDevice(t, func(dir string) {
		old := filepath.Join(dir, "prompt64", "workspaces", "game")
		if err := os.MkdirAll(old, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(old, "main.s"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	})
	if got := ownerOf(t, filepath.Join(a.data.path, "workspaces", "game", "main.s")); got != 65534 {
		t.Errorf("it belongs to %d", got)
	}
	if err := a.keeper.Make("next"); err != nil {
		t.Fatal(err)
	}
	if got := ownerOf(t, filepath.Join(a.data.path, "workspaces", "next")); got != 65534 {
		t.Errorf("a new one belongs to %d", got)
	}
	if err := a.keeper.Delete("game"); err != nil {
		t.Error(err)
	}
}

func TestAgentWithoutItsUserDoesNotRunAsRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become somebody else")
	}
	a := &app{log: silent, data: &dataFolder{path: t.TempDir()}, options: serveOptions{user: agentUser{name: "root", home: t.TempDir()}}}
	a.openUser()
	ran := false
	if err := a.user.Do(func() error { ran = true; return nil }); err == nil || ran || len(a.troubles) != 1 {
		t.Errorf("%v, ran %v, troubles %q", err, ran, a.troubles)
	}
}

// A command that the owner allowed may use the network, the bridge's port included.
// It must not answer the next question in the owner's place.
func TestDevicesAgentGetsNoLeaseFromTheBridge(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash to dial with")
	}
	a, c, _ := lowlyDevice(t, func(string) {})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := c.Connect(ctx); err != nil { // as a program of root
		t.Fatal(err)
	}
	if _, err := c.Workspace(ctx, "welcome"); err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(a.bridgeAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	// Hello and LeaseGet; what comes back ends behind the next frame's type and length.
	got := allowed(t, ctx, c, `/run bash -c "exec 3<>/dev/tcp/127.0.0.1/`+port+
		`; printf '\001\000\012\000PROMPT64/2\003\000\000\000' >&3; head -c 22 <&3 | tr -c '[:print:]' ."`)
	if !strings.Contains(got, "NOT PAIRED") {
		t.Errorf("it is told\n%s", got)
	}
	if n := len(a.leases.Snapshot()); n != 1 {
		t.Errorf("%d leases", n)
	}
}
