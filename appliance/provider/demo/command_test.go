package demo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
)

func TestPlainPromptSaysWhatTheDemoCanDo(t *testing.T) {
	r := newRig(t)
	for _, prompt := range []string{"hello", "help me", "Refactor the parser, please", "what are you?", "thanks!", "  "} {
		got := r.ask(prompt)
		r.wantWords(got, "demo", "/")
		if len(got.asked) != 0 {
			t.Errorf("%q asked for something", prompt)
		}
	}
}

func TestQuestionAboutFilesLooksAtTheWorkspace(t *testing.T) {
	r := newRig(t)
	r.wantWords(r.ask("which files are here?"), "empty")
	r.put("game.asm", "")
	if err := os.Mkdir(filepath.Join(r.workspace, "art"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.wantWords(r.ask("list the folder"), "2 entries", "`game.asm`", "`art/`")
}

func TestHelpListsEveryCommand(t *testing.T) {
	r := newRig(t)
	got := r.ask("/help")
	for _, c := range commands() {
		r.wantWords(got, "`"+c.form()+"`")
	}
}

func TestUnknownCommandIsAnsweredInWords(t *testing.T) {
	r := newRig(t)
	r.wantWords(r.ask("/frobnicate now"), "/frobnicate", "/help")
	r.wantWords(r.ask("/"), "/help")
}

func TestWrongArgumentsAreAnsweredWithTheUsage(t *testing.T) {
	r := newRig(t)
	for _, prompt := range []string{
		"/stream", "/stream x", "/stream -1", "/stream 1 2", "/stream 99999999999999999999",
		"/slow 3", "/slow 3 x", "/slow 3 9999999", "/say", "/big", "/big 1000000",
		"/write", "/write a.txt", `/write "open.txt x`, "/run", `/run 'open`, "/fail",
	} {
		got := r.ask(prompt)
		name := strings.Fields(prompt)[0]
		r.wantWords(got, "Usage: `"+name)
		if len(got.activities) != 0 {
			t.Errorf("%q did something: %+v", prompt, got.activities)
		}
	}
}

func TestCommandNamesMayBeTypedInEitherCase(t *testing.T) {
	r := newRig(t)
	r.wantWords(r.ask("  /SAY HELLO"), "HELLO")
}

func TestFailTellsTheUsersWords(t *testing.T) {
	r := newRig(t)
	got := r.ask("/fail the moon is in the wrong phase")
	if got.end != (provider.EndEvent{End: provider.EndFailed, Reason: "the moon is in the wrong phase"}) {
		t.Errorf("the end is %+v", got.end)
	}
}

func TestUsageGrowsWithTheSession(t *testing.T) {
	r := newRig(t)
	last := int64(-1)
	for range 3 {
		used := int64(-2)
		for _, ev := range r.ask("/stream 2000").events {
			if e, ok := ev.(provider.UsageEvent); ok {
				used = e.Used
			}
		}
		if used <= last {
			t.Errorf("after %d tokens came %d", last, used)
		}
		last = used
	}
}
