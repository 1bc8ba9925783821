package bridge

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/provider/demo"
	"github.com/prompt64/prompt64/appliance/workspace"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
)

// stack is a Server with real leases, the demo agent and folders to work on.
type stack struct {
	*harness
	leases *lease.Table
	root   string
}

func startStack(t *testing.T, tune tuning, pairing *Pairing) *stack {
	t.Helper()
	return startStackOn(t, tune, pairing, lineOf)
}

func startStackOn(t *testing.T, tune tuning, pairing *Pairing, line lineFunc) *stack {
	t.Helper()
	s := openStack(t)
	s.harness = startOn(t, tune, pairing, s.leases, line)
	return s
}

// openStack is a stack without a Server yet.
func openStack(t *testing.T) *stack {
	t.Helper()
	dir := t.TempDir()
	root, err := workspace.OpenRoot(dir, workspace.WithTimeout(patience))
	if err != nil {
		t.Fatal(err)
	}
	agent, err := demo.New(demo.Config{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s := &stack{root: dir, leases: lease.NewTable(lease.Config{Provider: agent, Workspaces: lease.FromRoot(root)})}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := s.leases.Close(ctx); err != nil {
			t.Error(err)
		}
		if err := agent.Close(); err != nil {
			t.Error(err)
		}
		_ = root.Close()
	})
	return s
}

// folder makes a workspace.
func (s *stack) folder(t *testing.T, name string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(s.root, name), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

// repository makes a workspace that is a git repository with one changed file.
func (s *stack) repository(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(s.root, s.folder(t, name))
	if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
		return name
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	file := filepath.Join(dir, "poem.txt")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "main")
	write("roses are red\nviolets are blue\n")
	git("add", ".")
	git("commit", "-q", "-m", "a poem")
	write("roses are red\nviolets are green\n")
	return name
}

// client returns a scripted C64 in workspace that reconnects by itself.
func (s *stack) client(t *testing.T, workspace string, change func(*framestest.Config)) *framestest.Client {
	t.Helper()
	prefs := framestest.DefaultPrefs()
	prefs.Workspace = workspace
	cfg := framestest.Config{
		Dial:  func(ctx context.Context) (net.Conn, error) { return (&net.Dialer{}).DialContext(ctx, "tcp", s.addr) },
		Prefs: prefs,
		Retry: time.Millisecond,
	}
	if change != nil {
		change(&cfg)
	}
	c := framestest.New(cfg)
	t.Cleanup(c.Close)
	return c
}

// lease gets a lease the plain way, byte by byte.
func (p *peer) lease() frames.Token {
	p.t.Helper()
	p.greet()
	p.send(frames.LeaseGet{})
	f, err := p.frames.Next()
	if err != nil {
		p.t.Fatal(err)
	}
	var state frames.LeaseState
	if err := state.Decode(f); err != nil {
		p.t.Fatalf("%v %q: %v", f.Type, f.Payload, err)
	}
	if state.Lifetime != frames.LeaseSeconds {
		p.t.Errorf("lifetime %d", state.Lifetime)
	}
	return state.Token
}

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// read returns a file beneath the root.
func (s *stack) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
