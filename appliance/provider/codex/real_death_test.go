package codex

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

func TestStoppedRealCodexIsKilledByClose(t *testing.T) {
	w := newRealWorld(t)
	pidFile := filepath.Join(t.TempDir(), "pid")
	cfg := w.config()
	cfg.Argv = withPID(w.binary, pidFile)
	st := w.stage(cfg)
	st.start("[[hang]]", asking)
	await[provider.TextEvent](st)
	signalTo(t, pidFile, syscall.SIGSTOP)
	if err := st.s.Cancel(t.Context()); err != nil {
		t.Error(err)
	}
	_ = st.s.Close() // hangs for ever if it does not kill
	if end := endOf(w.stage(cfg).play("hello")); end.End != provider.EndDone {
		t.Errorf("a turn of the next server ended as %+v", end)
	}
}

func TestRealSessionIsResumedAfterAKill(t *testing.T) {
	for name, prompt := range map[string]string{"in a text": "[[hang]]", "in a command": "[[try sleep 600]]", "in an approval": "[[run true]]"} {
		t.Run(name, func(t *testing.T) {
			w := newRealWorld(t)
			pidFile := filepath.Join(t.TempDir(), "pid")
			cfg := w.config()
			cfg.Argv = withPID(w.binary, pidFile)
			st := w.stage(cfg)
			st.play("hello")
			st.start(prompt, asking)
			st.next()
			signalTo(t, pidFile, syscall.SIGKILL)
			if end := endOf(st.finish(frames.Decline)); end.End != provider.EndFailed || !strings.Contains(end.Reason, "killed") {
				t.Errorf("the turn ended as %+v", end)
			}
			w.wantResumed(st.p, st.s.ID(), "hello", prompt)
		})
	}
}

// wantResumed resumes a session and checks its prompts.
func (w *realWorld) wantResumed(p *Provider, id string, prompts ...string) {
	w.t.Helper()
	st := &stage{t: w.t, p: p}
	st.s = st.open(provider.Spec{Workspace: w.workspace, SessionID: id, Access: frames.AccessAsk})
	entries, err := st.s.History(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		if e.Speaker == frames.SpeakerUser {
			got = append(got, e.Text)
		}
	}
	if strings.Join(got, "|") != strings.Join(prompts, "|") {
		w.t.Errorf("the prompts are %q, want %q", got, prompts)
	}
	if end := endOf(st.play("and now?")); end.End != provider.EndDone {
		w.t.Errorf("the turn behind it ended as %+v", end)
	}
}

// bridgeChild makes TestBridgeChild the bridge that is killed.
const bridgeChild = "PROMPT64_BRIDGE_CHILD"

// TestBridgeChild is a bridge in a process of its own, for the test below: it
// starts a turn that hangs, says so, and waits for its death.
func TestBridgeChild(t *testing.T) {
	args := strings.Split(os.Getenv(bridgeChild), "\n")
	if len(args) != 3 {
		return // it is run by the next test alone
	}
	p, err := New(Config{Argv: []string{args[0], "app-server"}, Home: args[1]})
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Open(t.Context(), provider.Spec{Workspace: args[2], Access: frames.AccessAsk})
	if err != nil {
		t.Fatal(err)
	}
	st := &stage{t: t, p: p, s: s}
	st.start("[[hang]]", asking)
	await[provider.TextEvent](st)
	fmt.Println("session", s.ID())
	select {} // SIGKILL ends this
}

func TestRealSessionIsResumedAfterTheBridgeIsKilled(t *testing.T) {
	w := newRealWorld(t)
	child := exec.Command(os.Args[0], "-test.run=^TestBridgeChild$", "-test.timeout=10m")
	cfg := w.config()
	child.Env = append(append(os.Environ(), cfg.Env...),
		bridgeChild+"="+strings.Join([]string{w.binary, w.home, w.workspace}, "\n"))
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	id := ""
	for in := bufio.NewScanner(out); id == "" && in.Scan(); {
		id, _ = strings.CutPrefix(in.Text(), "session ")
		if !isThreadID(id) {
			id = ""
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = child.Wait() // it was killed
	if id == "" {
		t.Fatal("the bridge named no session")
	}
	p, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	w.awaitFree(p, id)
	w.wantResumed(p, id, "[[hang]]")
}

// awaitFree waits until the app-server of a bridge that died has let its thread
// go, which it does at the end of its input.
func (w *realWorld) awaitFree(p *Provider, id string) {
	w.t.Helper()
	for began := time.Now(); time.Since(began) < patience; time.Sleep(100 * time.Millisecond) {
		s, err := p.Open(w.t.Context(), provider.Spec{Workspace: w.workspace, SessionID: id})
		if err == nil {
			_ = s.Close()
			return
		}
		if !strings.Contains(err.Error(), "another Codex") {
			w.t.Fatal(err)
		}
	}
	w.t.Fatal("the thread is never let go")
}

// listen starts an app-server that several clients share, and returns a
// configuration for it.
func (w *realWorld) listen() Config {
	w.t.Helper()
	address := ownAddress()
	token := filepath.Join(w.t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("open-sesame-open-sesame-open-sesame"), 0o600); err != nil {
		w.t.Fatal(err)
	}
	cfg := w.config()
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, w.binary, "app-server", "--listen", "ws://"+address, "--ws-auth", "capability-token", "--ws-token-file", token)
	cmd.Env = cfg.environment()
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { stop(); _ = cmd.Wait() })
	cfg = Config{URL: "ws://" + address, BearerFile: token}
	for began := time.Now(); time.Since(began) < patience; time.Sleep(100 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			_ = c.Close()
			return cfg
		}
	}
	w.t.Fatal("the app-server does not listen")
	return cfg
}

// ownAddress is a place that nobody else takes before Codex does, which wants a
// number: a port below those of outgoing connections, at an address of this process.
func ownAddress() string {
	pid := os.Getpid()
	return fmt.Sprintf("127.%d.%d.%d:4500", 1+pid>>14&0x7f, pid>>7&0x7f, 1+pid&0x7f)
}

func TestRealTurnLeftRunningElsewhereIsEndedNotSteered(t *testing.T) {
	w := newRealWorld(t)
	cfg := w.listen()
	first := w.stage(cfg)
	first.start("[[hang]]", asking)
	await[provider.TextEvent](first)
	second := &stage{t: t}
	var err error
	if second.p, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	defer second.p.Close()
	second.s = second.open(provider.Spec{Workspace: w.workspace, SessionID: first.s.ID(), Access: frames.AccessAsk})
	all := second.play("hello")
	if got := saying(all); got != "READY. You said: hello" || endOf(all).End != provider.EndDone {
		t.Errorf("said %q, ended %+v", got, endOf(all))
	}
	if end := endOf(first.finish()); end.End != provider.EndCancelled {
		t.Errorf("the turn that was left running ended as %+v", end)
	}
}

// reached finds the addresses in what strace wrote of connect.
var reached = regexp.MustCompile(`sa_family=AF_INET6?, .*?(?:inet_addr\("([^"]+)"\)|"([0-9a-f:.]+)")`)

func TestRealCodexInOurHomeReachesNothingButItsModel(t *testing.T) {
	w := newRealWorld(t)
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("THERE IS NO STRACE, so that nobody looked at where Codex connects to: run scripts/setup")
	}
	trace := filepath.Join(t.TempDir(), "trace")
	cfg := w.config()
	cfg.Argv = append([]string{strace, "-f", "-qq", "-e", "trace=connect,sendto", "-e", "signal=none", "-o", trace}, cfg.Argv...)
	cfg.Home, cfg.DataDir = "", t.TempDir()
	if err := prepareHome(cfg.home()); err != nil {
		t.Fatal(err)
	}
	// The fake is the one thing that it may reach.
	model, table, _ := strings.Cut(w.api.Config(), "[model_providers.fake]")
	table, _, _ = strings.Cut(table, "[analytics]")
	model = strings.Replace(model, "check_for_update_on_startup = false\n", "", 1)
	text := model + ownConfig + "\n[model_providers.fake]" + table
	if err := os.WriteFile(filepath.Join(cfg.home(), "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	st := w.stage(cfg)
	if all := st.play("[[run echo x >> ran]][[write a.bas]]", frames.AcceptOnce, frames.AcceptOnce); endOf(all).End != provider.EndDone {
		t.Errorf("the turn ended as %+v", endOf(all))
	}
	_ = st.p.Close()
	raw, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	loopback := 0
	for _, m := range reached.FindAllStringSubmatch(string(raw), -1) {
		if ip := net.ParseIP(m[1] + m[2]); ip == nil || !ip.IsLoopback() {
			t.Errorf("it reached for %s", m[0])
		}
		loopback++
	}
	if loopback == 0 {
		t.Error("not even the fake was reached: strace saw nothing")
	}
}
