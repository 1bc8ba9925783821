package acp

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/acp/acptest"
	"github.com/prompt64/prompt64/frames"
)

var rewrite = flag.Bool("update", false, "write the golden files anew")

// recorded are the recordings, with the preset of their agent.
var recorded = []struct {
	name, preset string
	decision     frames.Decision
}{
	{"claude-agent-acp", "claude", frames.AcceptOnce},
	{"codex-acp", "codex-acp", frames.AcceptOnce},
	{"copilot", "copilot", frames.AcceptOnce},
	{"gemini", "gemini", frames.AcceptOnce},
	{"opencode", "opencode", frames.AcceptOnce},
	{"opencode-reject", "opencode", frames.Decline},
	{"qwen", "qwen", frames.AcceptOnce},
}

// recordedPrompt is one prompt of a recording.
type recordedPrompt struct {
	text   string
	cancel string // the answer up to the recorded cancel; empty without one
}

// promptsOf finds the prompts of a recording.
func promptsOf(t *testing.T, name string) (prompts []recordedPrompt) {
	t.Helper()
	all, err := acptest.Recording(name)
	if err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, r := range all {
		var params struct {
			Prompt []struct{ Text string }
			Update struct {
				SessionUpdate string
				Content       json.RawMessage
			}
		}
		_ = json.Unmarshal(r.Params, &params)
		switch {
		case r.Method == "session/prompt":
			prompts = append(prompts, recordedPrompt{text: params.Prompt[0].Text})
			said = ""
		case r.Method == "session/cancel":
			prompts[len(prompts)-1].cancel = said
		case params.Update.SessionUpdate == "agent_message_chunk":
			said += chunkText(params.Update.Content)
		}
	}
	return prompts
}

func TestEachRecordedSessionBecomesTheEventsOfItsGoldenFile(t *testing.T) {
	for _, rec := range recorded {
		t.Run(rec.name, func(t *testing.T) {
			prompts := promptsOf(t, rec.name)
			r := newRig(t, acptest.Options{Recording: rec.name}, func(c *Config) { c.Name = rec.preset })
			p := r.open("")
			var out strings.Builder
			for _, prompt := range prompts {
				fmt.Fprintf(&out, "> %s\n%s\n\n", prompt.text, strings.Join(p.replay(prompt, rec.decision), "\n"))
			}
			fmt.Fprintf(&out, "# history\n%s", showHistory(t, p.s))
			golden(t, rec.name+".txt", strings.ReplaceAll(out.String(), r.workspace, "/WORKSPACE"))
		})
	}
}

// replay plays a recorded prompt, and cancels it where that was recorded.
func (p *peer) replay(prompt recordedPrompt, d frames.Decision) []string {
	p.t.Helper()
	if prompt.cancel == "" {
		return p.play(prompt.text, frames.AccessAsk, d)
	}
	p.start(prompt.text, frames.AccessAsk)
	var lines []string
	for said := ""; said != prompt.cancel; {
		ev := p.next()
		lines = p.show(lines, ev)
		if e, ok := ev.(provider.TextEvent); ok {
			said += e.Text
		}
	}
	if err := p.s.Cancel(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
	return append(lines, p.finish()...)
}

func showHistory(t *testing.T, s provider.Session) string {
	t.Helper()
	entries, err := s.History(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "%d %q\n", e.Speaker, e.Text)
	}
	return b.String()
}

// golden compares with a file, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *rewrite {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: run the test with -update", err)
	}
	if diff := cmp.Diff(string(data), got); diff != "" {
		t.Errorf("%s (-golden +got):\n%s", name, diff)
	}
}

func TestLoadedSessionsPastIsHistoryAndNeverNewText(t *testing.T) {
	for _, rec := range recorded {
		prompts := promptsOf(t, rec.name)
		all, err := acptest.Recording(rec.name)
		if err != nil {
			t.Fatal(err)
		}
		id := loadedID(all)
		if id == "" {
			continue
		}
		t.Run(rec.name, func(t *testing.T) {
			r := newRig(t, acptest.Options{Recording: rec.name}, func(c *Config) { c.Name = rec.preset })
			// What a list would have found.
			r.p.foreign["agent:"+id] = listedSession{SessionID: id, Cwd: r.workspace, Title: "theirs"}
			p := r.open("agent:" + id)
			golden(t, rec.name+".history.txt", strings.ReplaceAll(showHistory(t, p.s), r.workspace, "/WORKSPACE"))
			// The first recorded prompt is played after the load: nothing may
			// stand before its own events.
			got := p.play(prompts[0].text, frames.AccessAsk, rec.decision)
			if len(got) == 0 || strings.Contains(strings.Join(got, "\n"), "tick0") {
				t.Errorf("the past came as new: %q", got)
			}
		})
	}
}

// loadedID is the session that a recording loads with success.
func loadedID(all []acptest.Recorded) string {
	for i, r := range all {
		if r.Method != "session/load" {
			continue
		}
		for _, answer := range all[i:] {
			if answer.Dir == "<-" && answer.Method == "" && string(answer.ID) == string(r.ID) && len(answer.Error) == 0 {
				var params struct{ SessionID string }
				_ = json.Unmarshal(r.Params, &params)
				return params.SessionID
			}
		}
	}
	return ""
}
