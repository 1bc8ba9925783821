package display

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestAgentAnswersReadAsTheirGoldens shapes whole answers, palette on, fed one
// byte at a time. The goldens hold the characters that the bytes stand for.
func TestAgentAnswersReadAsTheirGoldens(t *testing.T) {
	answers, err := filepath.Glob("testdata/*.md")
	if err != nil || len(answers) == 0 {
		t.Fatalf("no answers: %v", err)
	}
	for _, answer := range answers {
		t.Run(filepath.Base(answer), func(t *testing.T) {
			source, err := os.ReadFile(answer)
			if err != nil {
				t.Fatal(err)
			}
			s := New(Options{Palette: true, Markdown: true})
			var b []byte
			for i := range source {
				b = s.Write(b, string(source[i:i+1]))
			}
			got := Unshape(s.Flush(b))
			golden := strings.TrimSuffix(answer, ".md") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}
