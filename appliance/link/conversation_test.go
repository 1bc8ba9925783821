package link_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/bridge"
	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/link/linktest"
	"github.com/prompt64/prompt64/appliance/provider/demo"
	"github.com/prompt64/prompt64/appliance/workspace"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
)

// office is the whole bridge with the demo agent behind a line.
type office struct {
	line *linktest.Line
	root string
	stop func()
}

func openOffice(t *testing.T, line *linktest.Line) *office {
	t.Helper()
	o := &office{line: line, root: t.TempDir()}
	if err := os.Mkdir(filepath.Join(o.root, "work"), 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := workspace.OpenRoot(o.root)
	if err != nil {
		t.Fatal(err)
	}
	agent, err := demo.New(demo.Config{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	leases := lease.NewTable(lease.Config{Provider: agent, Workspaces: lease.FromRoot(root)})
	server := bridge.New(bridge.Config{Leases: leases})
	l, err := link.Listen(line.Config())
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.ServePaired(context.Background(), l) }()
	o.stop = func() {
		ctx := context.Background()
		for what, err := range map[string]error{
			"server": server.Shutdown(ctx), "serve": <-served, "leases": leases.Close(ctx), "agent": agent.Close(),
		} {
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		<-l.Done()
		_ = root.Close()
	}
	return o
}

// client is the C64's program over the line; it reconnects by itself.
func (o *office) client() *framestest.Client {
	prefs := framestest.DefaultPrefs()
	prefs.Workspace = "work"
	return framestest.New(framestest.Config{
		Prefs: prefs,
		Retry: time.Second,
		Dial: func(ctx context.Context) (net.Conn, error) {
			return linktest.Dial(ctx, o.line.C64(), linktest.Config{})
		},
	})
}

// talk is a conversation with an answer that streams, an approval and a cancel.
// Meanwhile disturb does what it likes to the line.
func (o *office) talk(t *testing.T, c *framestest.Client, disturb func()) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	check := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for c.Connect(ctx) != nil && ctx.Err() == nil {
		time.Sleep(time.Second)
	}
	_, err := c.Turn(ctx, "/think")
	check("a turn", err)
	disturb()
	check("prompt", c.Prompt("/write a.txt hi"))
	a, err := c.WaitApproval(ctx)
	check("approval", err)
	disturb()
	check("decision", c.Decide(a, frames.AcceptOnce))
	_, err = c.WaitEnd(ctx)
	check("end", err)
	_, err = c.Turn(ctx, "/stream 3000")
	check("a long answer", err)
	if v := c.Violations(); len(v) > 0 {
		t.Errorf("the bridge broke the protocol: %v", v)
	}
	if text, err := os.ReadFile(filepath.Join(o.root, "work", "a.txt")); err != nil || !strings.Contains(string(text), "hi") {
		t.Errorf("the file: %q, %v", text, err)
	}
	return c.Transcript().String()
}

func TestConversationOverALineIsTheSameWithAndWithoutFaults(t *testing.T) {
	play := func(t *testing.T, faults linktest.Faults, disturb func(*linktest.Line)) (story string) {
		synctest.Test(t, func(t *testing.T) {
			o := openOffice(t, linktest.NewLine(38400, framestest.Seed(t)))
			o.line.Fault(faults)
			c := o.client()
			story = o.talk(t, c, func() { disturb(o.line) })
			o.line.Fault(linktest.Faults{})
			c.Close()
			o.stop()
		})
		return story
	}
	good := play(t, linktest.Faults{}, func(*linktest.Line) {})
	if !strings.Contains(good, "a.txt") {
		t.Fatalf("not much of a conversation:\n%s", good)
	}
	bad := map[string]func(*linktest.Line){
		"a rough line": func(*linktest.Line) {},
		"a cut longer than the connection lives": func(l *linktest.Line) {
			l.Cut(true)
			time.Sleep(20 * time.Second)
			l.Cut(false)
		},
		"the adapter pulled out": func(l *linktest.Line) {
			l.Unplug(false)
			time.Sleep(5 * time.Second)
			l.Plug("/dev/ttyUSB1", "P64-1")
		},
	}
	for name, disturb := range bad {
		if got := play(t, linktest.Rough, disturb); got != good {
			t.Errorf("%s: the story differs:\n%s\n--- want ---\n%s", name, got, good)
		}
	}
}
