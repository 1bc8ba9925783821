package provider

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prompt64/prompt64/frames"
)

func TestTitleIsTheFirstReadableLine(t *testing.T) {
	for _, c := range []struct{ prompt, want string }{
		{"", ""},
		{" \n\t\n", ""},
		{"\n  fix   the\tbuild \r\nplease", "fix the build"},
		{"a\x1b[31mred\x00", "a[31mred"},
		{"caf\u00e9 \U0001F600", "caf\u00e9 \U0001F600"},
		{"bad\xffbyte", "badbyte"},
	} {
		if got := Title(c.prompt); got != c.want {
			t.Errorf("Title(%q) = %q, want %q", c.prompt, got, c.want)
		}
	}
}

func TestLongTitleIsCutAtAWord(t *testing.T) {
	got := Title(strings.Repeat("seven77 ", 40))
	if n := utf8.RuneCountInString(got); n > MaxTitle {
		t.Errorf("%d characters: %q", n, got)
	}
	if !strings.HasSuffix(got, "seven77\u2026") {
		t.Errorf("not cut at a word: %q", got)
	}
	one := Title(strings.Repeat("\u00e4", 500))
	if n := utf8.RuneCountInString(one); n != MaxTitle {
		t.Errorf("one long word has %d characters", n)
	}
}

func TestReasoningIsVisibleByItsSetting(t *testing.T) {
	for _, c := range []struct {
		setting      frames.Reasoning
		summary, raw bool
	}{
		{frames.ReasoningOff, false, false},
		{frames.ReasoningSummary, true, false},
		{frames.ReasoningDetailed, true, false},
		{frames.ReasoningDeveloper, false, true},
		{frames.Reasoning(9), false, false},
	} {
		if got := (ReasoningEvent{}).Visible(c.setting); got != c.summary {
			t.Errorf("setting %d: summary visible: %v", c.setting, got)
		}
		if got := (ReasoningEvent{Raw: true}).Visible(c.setting); got != c.raw {
			t.Errorf("setting %d: raw visible: %v", c.setting, got)
		}
	}
}
