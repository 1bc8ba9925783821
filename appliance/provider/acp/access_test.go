package acp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider/acp/acptest"
	"github.com/prompt64/prompt64/frames"
)

func TestReadOnlyDeclinesWhatChangesAnythingWithoutAsking(t *testing.T) {
	r := newRig(t, acptest.Options{})
	p := r.open("")
	inside := filepath.Join(r.workspace, "a.txt")
	for i, call := range []string{
		`"kind":"edit","title":"t"`, `"kind":"delete","title":"t"`, `"kind":"move","title":"t"`,
		`"kind":"execute","title":"t"`, `"kind":"fetch","title":"t"`, `"kind":"switch_mode","title":"t"`,
		`"kind":"other","title":"t"`, `"title":"t"`,
		// What an agent calls reading may be something else.
		`"kind":"read","title":"t","rawInput":{"command":"rm -r ."}`,
		fmt.Sprintf(`"kind":"read","title":"t","content":[{"type":"diff","path":%q,"newText":"x"}]`, inside),
	} {
		got := p.play(fmt.Sprintf(`ask {"toolCall":{"toolCallId":"t%d",%s}}`, i, call), frames.AccessReadOnly)
		if !hasLine(got, `text "o-no"`) {
			t.Errorf("%s: %q", call, got)
		}
	}
}

func TestReadOnlyLetsTheAgentReadItsWorkspace(t *testing.T) {
	r := newRig(t, acptest.Options{})
	p := r.open("")
	for path, answer := range map[string]string{
		filepath.Join(r.workspace, "a.txt"): "o-once", // without asking
		"/etc/passwd":                       "o-no",   // the user was asked, and said no
	} {
		script := fmt.Sprintf(`ask {"toolCall":{"toolCallId":%q,"kind":"read","title":"t","locations":[{"path":%q}]}}`, path, path)
		if got := p.play(script, frames.AccessReadOnly, frames.Decline); !hasLine(got, `text "`+answer+`"`) {
			t.Errorf("%s: %q", path, got)
		}
	}
}

func TestAutoReviewLetsEditsOfTheWorkspacePassAndAsksTheRest(t *testing.T) {
	r := newRig(t, acptest.Options{})
	outside := t.TempDir()
	for name, target := range map[string]string{"folder": outside, "file": filepath.Join(outside, "none")} {
		if err := os.Symlink(target, filepath.Join(r.workspace, name)); err != nil {
			t.Fatal(err)
		}
	}
	p := r.open("")
	for i, c := range []struct {
		kind, path string
		asked      bool
	}{
		{"edit", filepath.Join(r.workspace, "new", "a.bas"), false},
		{"edit", "b.bas", false},
		{"edit", filepath.Join(r.workspace, "..", "a.bas"), true},
		{"edit", "../c.bas", true},
		{"edit", filepath.Join(r.workspace, "folder", "a.bas"), true},
		{"edit", filepath.Join(r.workspace, "file"), true}, // a link to nowhere that a write would follow
		{"delete", filepath.Join(r.workspace, "a.bas"), true},
		{"move", filepath.Join(r.workspace, "a.bas"), true},
		{"edit", "", true},
	} {
		script := fmt.Sprintf(`ask {"toolCall":{"toolCallId":"t%d","kind":%q,"title":"t","locations":[{"path":%q}]}}`, i, c.kind, c.path)
		got := strings.Join(p.play(script, frames.AccessAutoReview, frames.Decline), "\n")
		if asked := strings.Contains(got, "\nask "); asked != c.asked {
			t.Errorf("%s %s: asked: %v, want %v: %s", c.kind, c.path, asked, c.asked, got)
		}
	}
	if got := p.play("run true", frames.AccessAutoReview, frames.AcceptOnce); !hasLine(got, `ask 0 "Run true"`) {
		t.Errorf("a command was not asked about: %q", got)
	}
}

func TestModeFollowsTheAccessOfTheTurn(t *testing.T) {
	for name, o := range map[string]acptest.Options{
		"session/set_mode":          {Modes: []string{"default", "yolo", "plan", "acceptEdits"}},
		"session/set_config_option": {Modes: []string{"default", "yolo", "plan", "acceptEdits"}, ModeOption: true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, o)
			p := r.open("")
			for _, access := range []frames.Access{frames.AccessAsk, frames.AccessReadOnly, frames.AccessReadOnly, frames.AccessAutoReview, frames.AccessAsk} {
				p.play("say x", access)
			}
			var modes []string
			for line := range strings.Lines(r.requests()) {
				for _, mode := range o.Modes {
					if strings.Contains(line, `"`+name+`"`) && strings.Contains(line, `:"`+mode+`"`) {
						modes = append(modes, mode)
					}
				}
			}
			if want := []string{"plan", "acceptEdits", "default"}; !slices.Equal(modes, want) {
				t.Errorf("the modes are %q, want %q", modes, want)
			}
		})
	}
}

func TestAgentThatNeverAsksGetsNoPrompt(t *testing.T) {
	for _, o := range []acptest.Options{
		{Modes: []string{"yolo"}},
		{Modes: []string{"bypassPermissions", "default"}, StuckMode: true},
		{Modes: []string{"https://example.com/modes#autopilot"}, ModeOption: true},
	} {
		r := newRig(t, o)
		got := r.open("").play("run echo x >> ran", frames.AccessAsk)
		if end := got[len(got)-1]; !strings.HasPrefix(end, "end failed") || !strings.Contains(end, "ask") {
			t.Errorf("%+v: %q", o, got)
		}
		if strings.Contains(r.requests(), `"session/prompt"`) {
			t.Errorf("%+v: it got the prompt all the same", o)
		}
	}
}

func TestModeThatTheAgentLeftByItselfIsSetAgain(t *testing.T) {
	r := newRig(t, acptest.Options{Modes: []string{"default", "yolo"}})
	p := r.open("")
	got := p.play(`update {"sessionUpdate":"current_mode_update","currentModeId":"yolo"}`, frames.AccessAsk)
	if !hasLine(got, `act 1 failed "The agent no longer asks: mode yolo"`) {
		t.Errorf("the events are %q", got)
	}
	p.play("say x", frames.AccessAsk)
	if !strings.Contains(r.requests(), `"modeId":"default"`) {
		t.Error("the mode was left as it was")
	}
}

func TestNoPresetChoosesAModeThatNeverAsks(t *testing.T) {
	offered := []string{"yolo", "bypassPermissions", "full-access", "https://x/modes#autopilot", "dontAsk"}
	for _, p := range append(slices.Clone(presets), anyAgent) {
		for access, wanted := range p.modes {
			for _, mode := range wanted {
				if neverAsks(mode) {
					t.Errorf("%s wants %q for access %d", p.name, mode, access)
				}
			}
			if mode := p.choose(access, offered); mode != "" {
				t.Errorf("%s chooses %q for access %d", p.name, mode, access)
			}
		}
		if len(p.modes) != 3 {
			t.Errorf("%s has modes for %d accesses", p.name, len(p.modes))
		}
	}
}

// Each preset has to find its modes in what its agent was recorded to offer.
func TestPresetsFindTheirModesInTheRecordings(t *testing.T) {
	want := map[string][3]string{
		"claude":    {"plan", "default", "acceptEdits"},
		"codex-acp": {"read-only", "read-only", "auto"},
		"copilot":   {"plan", "agent", "agent"},
		"gemini":    {"plan", "default", "autoEdit"},
		"opencode":  {"plan", "build", "build"},
		"qwen":      {"plan", "default", "auto-edit"},
	}
	for _, rec := range recorded {
		all, err := acptest.Recording(rec.name)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := findPreset(rec.preset)
		for _, m := range all {
			var answer struct{ Result sessionState }
			if decode(m.Msg, &answer) != nil || answer.Result.SessionID == "" {
				continue
			}
			st := newAccessState(answer.Result)
			for access, mode := range want[rec.preset] {
				if got := modeName(p.choose(frames.Access(access), st.offered)); got != mode {
					t.Errorf("%s, access %d: mode %q, want %q", rec.name, access, got, mode)
				}
			}
		}
	}
}
