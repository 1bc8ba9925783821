package acp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/acp/acptest"
	"github.com/prompt64/prompt64/frames"
)

func TestMissingCommandIsToldWithWhatToDo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, name := range Presets() {
		p, err := New(Config{Name: name, DataDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Open(t.Context(), provider.Spec{Workspace: t.TempDir()})
		if err == nil || !strings.Contains(err.Error(), "Set-up, Agent. Or: npm install") || !strings.Contains(provider.InShell(err).Error(), "is not installed here: npm install") {
			t.Errorf("%s: %v", name, err)
		}
	}
	p, err := New(Config{Name: "mine", Argv: []string{"/no/such/agent"}, DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = p.Open(t.Context(), provider.Spec{Workspace: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "check the agent's command") {
		t.Errorf("a command of the user's own: %v", err)
	}
}

func TestFailedStartFailsTheTurnInWordsAndTheNextPromptTriesAgain(t *testing.T) {
	r := newRig(t, acptest.Options{Start: "exit"})
	p := r.open("")
	for range 2 {
		got := p.play("say x", frames.AccessAsk)
		if end := got[len(got)-1]; !strings.Contains(end, "exit status 3: error: no such model") {
			t.Errorf("the end is %q", end)
		}
	}
}

func TestPromptBehindAFailedTurnWaitsUntilTheAgentIsOverIt(t *testing.T) {
	p := newRig(t, acptest.Options{Lingers: 700 * time.Millisecond}).open("")
	for range 2 {
		want(t, endOf(p.play("fail out of cheese", frames.AccessAsk)), "end failed out of cheese")
		want(t, endOf(p.play("say x", frames.AccessAsk)), "end done")
	}
}

func TestSignInIsToldByWhatTheAgentOffers(t *testing.T) {
	got := newRig(t, acptest.Options{SignIn: true}).open("").play("say x", frames.AccessAsk)
	if end := got[len(got)-1]; !strings.Contains(end, "sign-in needed") || !strings.Contains(end, "Run `acptest login` in a terminal") {
		t.Errorf("the end is %q", end)
	}
}

func TestKeyFromTheEnvironmentSignsIn(t *testing.T) {
	o := acptest.Options{SignIn: true, SignInMethod: "test-key"}
	key := authKey{"ACP_TEST_KEY", "test-key"}
	r := newRig(t, o, func(c *Config) { c.Env = append(c.Env, "ACP_TEST_KEY=k") })
	r.p.cfg.preset.keys = []authKey{key}
	if got := r.open("").play("say x", frames.AccessAsk); got[0] != `text "x"` {
		t.Errorf("the events are %q", got)
	}
}

func TestOtherVersionOfTheProtocolIsRefusedInWords(t *testing.T) {
	got := newRig(t, acptest.Options{Version: 9}).open("").play("say x", frames.AccessAsk)
	if !strings.Contains(got[len(got)-1], "speaks version 9 of the protocol") {
		t.Errorf("the events are %q", got)
	}
}

func TestDeathIsToldInEachState(t *testing.T) {
	for name, script := range map[string]string{
		"at once":             "crash",
		"in text":             "say x\ncrash",
		"in a tool call":      `update {"sessionUpdate":"tool_call","toolCallId":"c","kind":"execute","title":"make","status":"in_progress"}` + "\ncrash",
		"in an approval":      `later {"toolCall":` + command + "}\nwait 200\ncrash",
		"by its output alone": "say x\ndeaf",
	} {
		t.Run(name, func(t *testing.T) {
			p := newRig(t, acptest.Options{}).open("")
			p.start(script, frames.AccessAsk)
			got := p.finishUndecided()
			if end := got[len(got)-1]; !strings.HasPrefix(end, "end failed the agent ended unexpectedly") {
				t.Errorf("the events are %q", got)
			}
			open := 0
			for _, line := range got {
				if strings.HasPrefix(line, "act ") {
					open++
				}
			}
			if open%2 != 0 {
				t.Errorf("an activity stays open: %q", got)
			}
			if ev := p.next(); ev != nil {
				t.Errorf("after the end came %+v", ev)
			}
		})
	}
}

func TestDeathWhileIdleClosesTheChannel(t *testing.T) {
	p := newRig(t, acptest.Options{}).open("")
	p.play("say x", frames.AccessAsk)
	a := p.s.(*session).running()
	if err := a.proc.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if ev := p.next(); ev != nil {
		t.Errorf("an event came: %+v", ev)
	}
}

func TestStuckAgentAndItsCommandsAreGoneAfterClose(t *testing.T) {
	r := newRig(t, acptest.Options{LoseCancel: 1000})
	p := r.open("")
	pidFile := filepath.Join(r.workspace, "pid")
	p.start("run echo $$ > pid; exec sleep 600", frames.AccessAsk)
	for {
		if e, ok := p.next().(provider.ApprovalEvent); ok {
			if err := p.s.Decide(t.Context(), e.ID, frames.AcceptOnce); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	pid := ""
	for deadline := time.Now().Add(patience); pid == "" && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		data, _ := os.ReadFile(pidFile)
		pid = strings.TrimSpace(string(data))
	}
	agent := p.s.(*session).running().proc
	if err := p.s.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-agent.exited:
	default:
		t.Error("the agent runs still")
	}
	// The command has a process group of its own: only its parents lead to it.
	if stat, err := os.ReadFile("/proc/" + pid + "/stat"); err == nil && !strings.Contains(string(stat), ") Z ") {
		t.Errorf("the command %s runs still", pid)
	}
}

func TestCloseDuringTheStartEndsTheAgent(t *testing.T) {
	p := newRig(t, acptest.Options{Start: "silent"}).open("")
	p.start("say x", frames.AccessAsk)
	if err := p.s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestCancelDuringTheStartEndsTheTurn(t *testing.T) {
	p := newRig(t, acptest.Options{Start: "silent"}).open("")
	p.start("say x", frames.AccessAsk)
	if err := p.s.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, p.finish(), "end cancelled")
}

func TestSilentAgentIsToldToTheUser(t *testing.T) {
	p := newRig(t, acptest.Options{}, func(c *Config) { c.Silence = 50 * time.Millisecond }).open("")
	got := p.play("wait 400\nsay x", frames.AccessAsk)
	if !hasLine(got, `act 1 begin "The agent is silent for 50ms"`) || !hasLine(got, `act 1 ok "The agent is silent for 50ms"`) {
		t.Errorf("the events are %q", got)
	}
	p.start("hang", frames.AccessAsk)
	for {
		if _, silent := p.next().(provider.ActivityEvent); silent {
			break
		}
	}
	if err := p.s.Cancel(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(t, endOf(p.finish()), "end cancelled")
}

func TestSecretsOfTheBridgeDoNotReachTheAgent(t *testing.T) {
	t.Setenv("PROMPT64_PAIRING", "secret")
	t.Setenv("OPENCODE_PERMISSION", "the user's own")
	c := Config{Name: "opencode", DataDir: t.TempDir(), Env: []string{"EXTRA=1"}}
	if err := c.complete(); err != nil {
		t.Fatal(err)
	}
	values := map[string]string{}
	for _, v := range c.environment() {
		name, value, _ := strings.Cut(v, "=")
		values[name] = value
	}
	if values["PROMPT64_PAIRING"] != "" || values["EXTRA"] != "1" || values["OPENCODE_PERMISSION"] != "the user's own" || values["PATH"] == "" {
		t.Errorf("the environment is %q", values)
	}
}
