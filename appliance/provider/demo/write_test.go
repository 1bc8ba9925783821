package demo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/frames"
)

func TestWriteShowsTheDiffThenWrites(t *testing.T) {
	r := newRig(t)
	r.put("a.txt", "one\ntwo\nthree\nfour\n")
	got := r.ask("/write a.txt one\ntwo\nTHREE\nfour")
	if len(got.asked) != 1 || got.asked[0].Kind != frames.KindFile {
		t.Fatalf("asked %+v", got.asked)
	}
	ask := got.asked[0]
	if want := "Write a.txt (+1 -1)"; ask.Summary != want {
		t.Errorf("the summary is %q, want %q", ask.Summary, want)
	}
	if want := "#a.txt\n#@@ -2 +2 @@\n two\n-three\n+THREE\n four\n"; detail(ask) != want {
		t.Errorf("the detail is\n%swant\n%s", detail(ask), want)
	}
	if r.file("a.txt") != "one\ntwo\nTHREE\nfour\n" {
		t.Errorf("the file is %q", r.file("a.txt"))
	}
	for _, a := range got.activities {
		if !strings.Contains(a.Label, "a.txt") {
			t.Errorf("the activity %+v does not name the file", a)
		}
	}
	info, err := os.Stat(filepath.Join(r.workspace, "a.txt"))
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the file's mode is %v, %v", info.Mode(), err)
	}
}

func TestWriteMakesFoldersAndTakesTheTextAsItIs(t *testing.T) {
	r := newRig(t)
	r.wantWords(r.free(`/write deep/er/"my file.txt"   two spaces "quoted" \u0041 `), "I wrote")
	if got := r.file("deep/er/my file.txt"); got != "  two spaces \"quoted\" \\u0041 \n" {
		t.Errorf("the file is %q", got)
	}
	if names, _ := filepath.Glob(filepath.Join(r.workspace, "deep/er/.*")); len(names) != 0 {
		t.Errorf("left behind: %q", names)
	}
}

func TestDeclinedWriteChangesNothing(t *testing.T) {
	r := newRig(t)
	r.answer = frames.Decline
	r.wantWords(r.ask("/write new/a.txt x"), "declined")
	if entries, _ := os.ReadDir(r.workspace); len(entries) != 0 {
		t.Errorf("the workspace has %v", entries)
	}
}

func TestWriteNeverLeavesTheWorkspace(t *testing.T) {
	r := newRig(t)
	outside := t.TempDir()
	victim := filepath.Join(outside, "victim")
	if err := os.WriteFile(victim, []byte("safe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{
		"dir": outside, "file": victim, "dangling": filepath.Join(outside, "new"), "rel": "../" + filepath.Base(outside),
	} {
		if err := os.Symlink(target, filepath.Join(r.workspace, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{
		victim, "../" + filepath.Base(outside) + "/victim", "dir/victim", "dir/new", "dir/sub/new",
		"file", "dangling", "rel/victim", "a/../../x", "..", ".", "sub/",
	} {
		got := r.free("/write " + path + " pwned")
		r.wantWords(got, "I cannot write")
		if last := got.activities[len(got.activities)-1]; last.Lifecycle != frames.ActivityFailed {
			t.Errorf("%s: the activity ended as %+v", path, last)
		}
	}
	if data, _ := os.ReadFile(victim); string(data) != "safe" {
		t.Errorf("the victim is %q", data)
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 1 {
		t.Errorf("outside are now %v", entries)
	}
}

func TestSymlinkThatStaysInsideIsFollowedAsAFolderOnly(t *testing.T) {
	r := newRig(t)
	if err := os.Mkdir(filepath.Join(r.workspace, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Join(r.workspace, "alias")); err != nil {
		t.Fatal(err)
	}
	r.wantWords(r.free("/write alias/a.txt x"), "I wrote")
	if r.file("real/a.txt") != "x\n" {
		t.Errorf("the file is %q", r.file("real/a.txt"))
	}
	if err := os.Symlink("a.txt", filepath.Join(r.workspace, "real", "link")); err != nil {
		t.Fatal(err)
	}
	r.wantWords(r.free("/write real/link y"), "symbolic link")
}

func TestFileThatChangedAfterTheQuestionIsNotOverwritten(t *testing.T) {
	for name, before := range map[string]string{"new file": "", "old file": "old\n"} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			if before != "" {
				r.put("a.txt", before)
			}
			r.onAsk = func(provider.ApprovalEvent) { r.put("a.txt", "somebody else's\n") }
			r.wantWords(r.ask("/write a.txt mine"), "has changed")
			if r.file("a.txt") != "somebody else's\n" {
				t.Errorf("the file is %q", r.file("a.txt"))
			}
		})
	}
}

func TestWriteThatCannotBeDoneSaysWhy(t *testing.T) {
	r := newRig(t)
	r.put("plain", "x")
	r.wantWords(r.free("/write plain/below x"), "not a directory")
	if os.Geteuid() == 0 {
		return // root may write anywhere
	}
	if err := os.Chmod(r.workspace, 0o500); err != nil {
		t.Fatal(err)
	}
	r.wantWords(r.free("/write new.txt x"), "permission denied")
}
