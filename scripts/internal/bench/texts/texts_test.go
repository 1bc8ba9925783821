package texts

import (
	"strings"
	"testing"

	"github.com/prompt64/prompt64/frames/display"
)

func TestProseReachesAC64Unchanged(t *testing.T) {
	text := Prose(8192)
	if len(text) != 8192 {
		t.Fatalf("%d bytes", len(text))
	}
	s := display.New(display.Options{Markdown: true})
	if got := string(s.Flush(s.Write(nil, text))); got != text {
		t.Error("the shaper changed the prose")
	}
}

func TestMarkdownIsReallyMarkdown(t *testing.T) {
	text := Markdown(4000)
	if len(text) < 4000 || len(text) > 5000 {
		t.Fatalf("%d bytes", len(text))
	}
	s := display.New(display.Options{Markdown: true})
	if got := string(s.Flush(s.Write(nil, text))); strings.Contains(got, "**") || !strings.Contains(got, "never") {
		t.Errorf("shaped: %.300s", got)
	}
}

func TestPiecesLoseNothing(t *testing.T) {
	for _, text := range []string{"", "one", " two words", "a\n\nb  c ", Prose(500), Markdown(500)} {
		pieces := Pieces(text)
		if strings.Join(pieces, "") != text {
			t.Errorf("%q became %q", text, pieces)
		}
		for _, p := range pieces {
			if p == "" {
				t.Errorf("%q has an empty piece: %q", text, pieces)
			}
		}
	}
}
