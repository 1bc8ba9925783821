package workspace

import (
	"testing"
)

func TestEveryStateHasItsRow(t *testing.T) {
	g := newGround(t)
	g.repo("r", "changed", "one\ntwo\nthree\n", "deleted", "x\n", "renamed", "a\nb\nc\nd\n", "staged", "s\n", "same", "same\n", "bin", "a\x00b")
	g.write("r/changed", "one\nTWO\nthree\nfour\n")
	g.remove("r/deleted")
	g.git("r", "mv", "renamed", "sub name")
	g.write("r/staged", "S\n")
	g.git("r", "add", "staged")
	g.write("r/staged", "S\nT\n")
	g.write("r/new", "n\n")
	g.git("r", "add", "new")
	g.write("r/bin", "a\x00c")
	g.write("r/untracked", "u\nv")
	g.write("r/dir/untracked", "u\n")
	c := g.changes("r")
	g.wantRows(c,
		"M bin bin", "M 2 1 changed", "D 0 1 deleted", "? 1 0 dir/untracked", "A 1 0 new",
		"M 2 1 staged", "R 0 0 renamed>sub name", "? 2 0 untracked")
	g.wantDiff(c, 0, "#binary file")
	g.wantDiff(c, 1, "#@@ -1,3 +1,4 @@", " one", "-two", "+TWO", " three", "+four")
	g.wantDiff(c, 2, "#deleted file", "#@@ -1 +0,0 @@", "-x")
	g.wantDiff(c, 3, "#new file", "#@@ -0,0 +1 @@", "+u")
	g.wantDiff(c, 5, "#@@ -1 +1,2 @@", "-s", "+S", "+T")
	g.wantDiff(c, 6, "#renamed from renamed")
	g.wantDiff(c, 7, "#new file", "#@@ -0,0 +1,2 @@", "+u", "+v", "#no newline at the end")
	if s := g.summary("r"); s != (Summary{Repo: true, Branch: "main", Files: 8, Added: 8, Deleted: 3}) {
		t.Fatalf("summary %+v", s)
	}
}
