package demo

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

func diffOf(old, content string, exists bool) (string, int, int) {
	c := &change{name: "f", old: []byte(old), size: int64(len(old)), exists: exists, content: []byte(content)}
	lines, added, deleted := c.diff()
	return detail(provider.ApprovalEvent{Detail: lines}), added, deleted
}

func TestDiffShowsEachKindOfChange(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		exists         bool
		want           string
	}{
		{"new", "", "x\n", false, "#new file f\n#@@ -1 +1 @@\n+x\n"},
		{"from empty", "", "x\n", true, "#f\n#@@ -1 +1 @@\n+x\n"},
		{"same", "x\n", "x\n", true, "#f\n#nothing changes\n"},
		{"newline joins", "x", "x\n", true, "#f\n#@@ -1 +1 @@\n-x\n#no newline at the end\n+x\n"},
		{"keeps the middle", "a\nx\nb\n", "x\n", true, "#f\n#@@ -1 +1 @@\n-a\n x\n-b\n"},
		{"two hunks", "1\n2\n3\n4\n5\n6\n7\n", "X\n2\n3\n4\n5\n6\nY\n", true,
			"#f\n#@@ -1 +1 @@\n-1\n+X\n 2\n#@@ -6 +6 @@\n 6\n-7\n+Y\n"},
		{"binary", "\x00\x01", "x\n", true, "#f: 2 bytes that are not shown are replaced\n#@@ -1 +1 @@\n+x\n"},
	} {
		if got, _, _ := diffOf(c.old, c.new, c.exists); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.name, got, c.want)
		}
	}
}

func TestComparisonTellsBothTexts(t *testing.T) {
	line := rapid.SampledFrom([]string{"a\n", "b\n", "c\n"})
	rapid.Check(t, func(t *rapid.T) {
		old := rapid.SliceOfN(line, 0, 12).Draw(t, "old")
		new := rapid.SliceOfN(line, 0, 12).Draw(t, "new")
		var before, after strings.Builder
		for _, o := range compare(old, new) {
			if o.kind != frames.LineAddition {
				before.WriteString(o.text)
			}
			if o.kind != frames.LineDeletion {
				after.WriteString(o.text)
			}
		}
		if before.String() != strings.Join(old, "") || after.String() != strings.Join(new, "") {
			t.Fatalf("%q to %q is told as %q to %q", old, new, before.String(), after.String())
		}
	})
}

func TestHugeComparisonIsBounded(t *testing.T) {
	old := strings.Repeat("x\ny\n", 4000)
	content := strings.Repeat("y\nz\n", 4000)
	_, added, deleted := diffOf(old, content, true)
	if added != 8000 || deleted != 8000 {
		t.Errorf("+%d -%d", added, deleted)
	}
}
