package image

import (
	"context"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider/codex/responsestest"
	"github.com/prompt64/prompt64/frames"
	"github.com/prompt64/prompt64/frames/framestest"
	"github.com/prompt64/prompt64/image/build"
	"github.com/prompt64/prompt64/image/vm"
)

// apiPort is where the guest finds the model.
const apiPort = 8064

// codexPerm is what /perm begins with: Codex's settings, by which it finds the fake
// of the model, and a history to clone. git takes a bundle whoever owns it.
func codexPerm(t *testing.T, api *responsestest.Server) string {
	t.Helper()
	perm := t.TempDir()
	var config strings.Builder
	for line := range strings.Lines(api.Config()) {
		if !strings.HasPrefix(line, "env_key") { // nobody can set the device's environment
			config.WriteString(line)
		}
	}
	text := strings.Replace(config.String(), api.URL, "http://"+vm.Gateway(apiPort)+"/v1", 1)
	home := filepath.Join(perm, "prompt64", "codex")
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-q", "--allow-empty", "-m", "the first"},
		{"bundle", "create", "-q", filepath.Join(perm, "game.bundle"), "main"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = work
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	return perm
}

// bootWithCodex builds the arm64 image with the real Codex, its model a fake on this
// computer, and starts it.
func bootWithCodex(t *testing.T, ctx context.Context, api *responsestest.Server) *vm.VM {
	t.Helper()
	o, err := options("qemu-arm64", "codex.img")
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(o.Settings, &fields); err != nil {
		t.Fatal(err)
	}
	fields["provider"] = "codex"
	if o.Settings, err = json.Marshal(fields); err != nil {
		t.Fatal(err)
	}
	o.Codex, o.Perm = &build.Codex{}, codexPerm(t, api)
	start := time.Now()
	r, err := build.Build(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(r.Image) })
	t.Logf("the image with Codex is built in %.0f s", time.Since(start).Seconds())
	address, err := url.Parse(api.URL)
	if err != nil {
		t.Fatal(err)
	}
	command, variable, value, err := vm.RelayTo(address.Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(variable, value)
	return boot(t, vm.Config{Machine: vm.Virt, Image: r.Image, Memory: 2048, Ports: []int{bridgePort, pagesPort},
		Outward: map[string]string{vm.Gateway(apiPort): command}})
}

// greet gets a first answer. An emulated processor may not start Codex, which has
// 300 MB, in the time that the bridge gives it: then it says so, and a person tries
// again, as it advises.
func greet(t *testing.T, ctx context.Context, c *framestest.Client) {
	t.Helper()
	const tries = 10
	for n := 1; ; n++ {
		start := time.Now()
		end, err := c.Turn(ctx, "hello codex")
		if err == nil && end.Kind == framestest.Done {
			return
		}
		t.Logf("try %d: %q after %.0f s", n, end.Text, time.Since(start).Seconds())
		if err != nil || n == tries || !strings.Contains(end.Text, "try again") {
			t.Fatalf("%+v, %v\n%s", end, err, c.Transcript())
		}
	}
}

// accepted sends a prompt, allows what it asks for, and returns the conversation.
func accepted(t *testing.T, ctx context.Context, c *framestest.Client, prompt string) string {
	t.Helper()
	start := time.Now()
	if err := c.Prompt(prompt); err != nil {
		t.Fatal(err)
	}
	a, err := c.WaitApproval(ctx)
	if err != nil {
		t.Fatalf("%s: %v\n%s", prompt, err, c.Transcript())
	}
	t.Logf("%s: asked %q after %.0f s", prompt, a.Summary, time.Since(start).Seconds())
	if err := c.Decide(a, frames.AcceptOnce); err != nil {
		t.Fatal(err)
	}
	end, err := c.WaitEnd(ctx)
	if err != nil || end.Kind != framestest.Done {
		t.Fatalf("%s: %+v, %v\n%s", prompt, end, err, c.Transcript())
	}
	t.Logf("%s: done after %.0f s", prompt, time.Since(start).Seconds())
	return c.Transcript().String()
}

// The real Codex, for arm64 and installed when the image was built, clones a
// repository on the device and makes the change that was allowed.
func TestRealCodexInTheImageMakesAnApprovedChange(t *testing.T) {
	onlyLong(t)
	api := responsestest.New()
	t.Cleanup(api.Close)
	ctx := within(t, 4*patience)
	v := bootWithCodex(t, ctx, api)
	start := time.Now()
	c := attach(t, ctx, v)
	t.Logf("the bridge answers after %.0f s", time.Since(start).Seconds())
	greet(t, ctx, c)
	t.Logf("the first answer came after %.0f s", time.Since(start).Seconds())
	accepted(t, ctx, c, "[[run git clone -q /perm/game.bundle game; git -C game log --format=cloned-%f]]")
	accepted(t, ctx, c, "[[write game/hello.bas]]")
	got := accepted(t, ctx, c, "[[run git -C game status --short; tail -n 1 game/hello.bas; id -u]]")
	outputs := ""
	for _, r := range api.Requests() {
		for _, item := range r.Input {
			outputs += string(item.Output)
		}
	}
	for _, want := range []string{"cloned-the-first", "?? hello.bas", "20 GOTO 10"} {
		if !strings.Contains(outputs, want) {
			t.Errorf("no %q in what the tools said:\n%s", want, outputs)
		}
	}
	// The last line that the tool said is who ran it.
	if !strings.Contains(got, "The tool said: 1000") {
		t.Errorf("the agent's command did not run as the agent's user:\n%s", got)
	}
}
