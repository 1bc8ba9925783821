package main_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/appliance/provider/codex"
	"github.com/prompt64/prompt64/appliance/provider/codex/responsestest"
	"github.com/prompt64/prompt64/c64prg/machine/uci"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
	"github.com/prompt64/prompt64/frames"
)

// The prompts of a conversation with the real Codex: an answer, a patch that
// makes a file, and a command that adds a line to another each time it is run.
const (
	codexHello = "hello codex"
	codexWrite = "[[write hello.bas]]"
	codexRun   = "[[run echo once >>log]]"
)

// codexStage is the real Codex behind the real bridge; its model is a fake.
type codexStage struct {
	*stage.Bridge
	api *responsestest.Server
	c   *stage.C64
}

func openCodex(t *testing.T, m stage.Machine) *codexStage {
	t.Helper()
	binary := responsestest.Program(t, codex.KnownVersion)
	s := &codexStage{api: responsestest.New()}
	t.Cleanup(s.api.Close)
	home, env := s.api.Home(t)
	agent, err := codex.New(codex.Config{Argv: []string{binary, "app-server"}, Home: home, Env: env})
	if err != nil {
		t.Fatal(err)
	}
	s.Bridge = stage.Open(t, stage.BridgeOptions{Agent: agent})
	m.Agent, m.Patience = "codex", codexPatience
	s.c = stage.Boot(t, s.Addr, m)
	return s
}

// codexMoment is a point in the conversation at which the line may break.
type codexMoment int

const (
	patchShown   codexMoment = iota // the patch can be answered, and nobody does yet
	beforePatchA                    // A comes next
	commandShown
	beforeCommandA
)

// converse plays the conversation; at each moment it calls at.
func (s *codexStage) converse(at func(codexMoment)) {
	s.c.Connect()
	s.c.Ask(codexHello)
	for _, p := range []struct {
		prompt      string
		shown, next codexMoment
	}{{codexWrite, patchShown, beforePatchA}, {codexRun, commandShown, beforeCommandA}} {
		s.c.Keys(p.prompt + "\n")
		s.c.Asked()
		at(p.shown)
		at(p.next)
		s.c.Accept()
		s.c.WaitPaper("The tool said:", codexPatience)
		s.c.Settled()
	}
}

// codexPatience is emulated. Codex works in real time while the machine runs as
// fast as it can, so it is long: minutes of a test.
const codexPatience = 3 * time.Hour

// conversed checks what must be true behind it, whatever happened to the line.
func (s *codexStage) conversed(t *testing.T, want []string) {
	t.Helper()
	if diff := cmp.Diff(want, s.c.Paper.Rows()); diff != "" {
		t.Errorf("the transcript is not the one without cuts (-want +got):\n%s", diff)
	}
	sameScreen(t, s.c)
	if got := s.Prompts(); !slices.Equal(got, []string{codexHello, codexWrite, codexRun}) {
		t.Errorf("the agent got the prompts %q", got)
	}
	if got := s.Decisions(); !slices.Equal(got, []frames.Decision{frames.AcceptOnce, frames.AcceptOnce}) {
		t.Errorf("the agent got the decisions %v", got)
	}
	if got := s.File("hello.bas"); got != "10 PRINT \"HELLO\"\n20 GOTO 10" {
		t.Errorf("the patch left %q", got)
	}
	if got := s.File("log"); got != "once" {
		t.Errorf("the command left %q", got)
	}
	if got := len(s.api.Requests()); got != 5 { // one a turn, and one behind each tool
		t.Errorf("the model was asked %d times, want 5", got)
	}
}

// codexUndisturbed is the transcript on a line that holds.
func codexUndisturbed(t *testing.T) []string {
	t.Helper()
	s := openCodex(t, stage.Machine{})
	s.converse(func(codexMoment) {})
	rows := s.c.Paper.Rows()
	s.conversed(t, rows)
	said := stage.Ink(s.c.Paper.Said())
	for _, words := range []string{"> " + codexHello, "READY. You said: " + codexHello, "> " + codexWrite, "> " + codexRun, "echo once >>log"} {
		if !strings.Contains(said, stage.Ink(words)) {
			t.Errorf("the transcript has no %q:\n%s", words, s.c.Paper.Said())
		}
	}
	return rows
}

// codexCuts are the ways from the approval on the screen to its effect.
var codexCuts = []struct {
	name  string
	when  codexMoment
	bytes int
	dir   uci.Direction
}{
	{"while the patch is shown", patchShown, 0, uci.In},
	{"in the patch's decision", beforePatchA, 2, uci.Out},
	{"before the acknowledgement for the patch", beforePatchA, 0, uci.In},
	{"while the command is shown", commandShown, 0, uci.In},
	{"before the command's decision", beforeCommandA, 0, uci.Out},
	{"behind the command's decision", beforeCommandA, decisionSize, uci.Out},
	{"in the answer behind the command", beforeCommandA, endSize + 8, uci.In},
}

func TestRealCodexDoesOnceWhatIsAcceptedWhereverTheLineIsCut(t *testing.T) {
	t.Parallel()
	want := codexUndisturbed(t)
	all, ways := machines(), kinds[:2]
	if long {
		ways = kinds
	}
	for i, what := range codexCuts {
		for j, how := range ways {
			m := all[(i*len(ways)+j)%len(all)]
			t.Run(fmt.Sprintf("%s/%s/%s", what.name, how.name, m.name), func(t *testing.T) {
				t.Parallel()
				s := openCodex(t, m.Machine)
				s.converse(func(now codexMoment) {
					if now != what.when {
						return
					}
					s.c.CutAfter(what.bytes, what.dir, how.kind)
					if now == patchShown || now == commandShown {
						s.awaitRedial()
					}
				})
				s.conversed(t, want)
				if n := s.c.Dials.Load(); n < 2 {
					t.Errorf("the line was opened %d times: it was never cut", n)
				}
			})
		}
	}
}

// awaitRedial waits until the C64 has found the cut by itself and is back, with
// the approval still up.
func (s *codexStage) awaitRedial() {
	n := s.c.Dials.Load()
	s.c.Until("another connection", codexPatience, func() bool { return s.c.Dials.Load() > n })
	s.c.Until("the line is up again", codexPatience, func() bool { return strings.Contains(s.c.Title(), "ON LINE") })
}
