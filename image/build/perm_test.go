package build

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/agent/agenttest"
	"github.com/prompt64/prompt64/appliance/agent/fetch"
	"github.com/prompt64/prompt64/appliance/gpt"
)

func TestMain(m *testing.M) {
	agenttest.Main()
	os.Exit(m.Run())
}

// emptyCard is an empty disk with one partition behind some sectors of others.
func emptyCard(t *testing.T) (path string, p gpt.Partition) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "card.img")
	p = gpt.Partition{First: 2048, Last: 2048 + 96<<20/gpt.SectorSize - 1}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, p.Offset()+p.Bytes()); err != nil {
		t.Fatal(err)
	}
	return path, p
}

// ask lets debugfs look into the partition.
func ask(t *testing.T, path string, p gpt.Partition, question string) string {
	t.Helper()
	out, err := exec.Command(systemTool("debugfs"), "-R", question, fmt.Sprintf("%s?offset=%d", path, p.Offset())).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", question, err, out)
	}
	return string(out)
}

// codexOf is a build's options with an archive of a Codex that was never known.
func codexOf(t *testing.T) Options {
	t.Helper()
	archive := agenttest.Archive(t, "tar.gz", agenttest.Codex{Version: "9.8.7"}.Entries(t, "package/vendor/aarch64-unknown-linux-musl/"))
	path := filepath.Join(t.TempDir(), "codex.tgz")
	if err := os.WriteFile(path, archive, 0o600); err != nil {
		t.Fatal(err)
	}
	digest, err := fetch.ParseDigest(agenttest.Digest(archive))
	if err != nil {
		t.Fatal(err)
	}
	board, err := BoardNamed("rpi")
	if err != nil {
		t.Fatal(err)
	}
	return Options{Board: board, Codex: &Codex{Version: "9.8.7", Archive: path, Digest: &digest}}
}

var owner = regexp.MustCompile(`(?s)Mode: +0?(\d+).*User: +(\d+) +Group: +(\d+)`)

// The device finds Codex where its own installation would have put it; the agent's
// user can start it, and change none of it, whoever built the image.
func TestCodexInTheImageIsRootsAndCanBeStartedByAll(t *testing.T) {
	o := codexOf(t)
	o.Perm = t.TempDir()
	if err := os.WriteFile(filepath.Join(o.Perm, "a file"), []byte("of a test"), 0o600); err != nil {
		t.Fatal(err)
	}
	folder, installed, err := fillPerm(t.Context(), o, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(installed) != 1 || installed[0].Version != "9.8.7" || installed[0].Hashes[0].Content != o.Codex.Digest.String() {
		t.Errorf("installed %+v", installed)
	}
	used, err := agent.Open(filepath.Join(folder, dataFolder)).Use(agent.Codex)
	if err != nil || used.Version != "9.8.7" {
		t.Fatalf("%+v, %v", used, err)
	}
	program, err := filepath.Rel(folder, used.Path)
	if err := used.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 { // else the files are a plain user's as they are
		if out, err := exec.Command("chown", "-R", "12345:54321", folder).CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
	}
	path, p := emptyCard(t)
	if err := makePerm(t.Context(), path, p, folder); err != nil {
		t.Fatal(err)
	}
	for name := program; ; name = filepath.Dir(name) {
		got := ask(t, path, p, `stat "/`+strings.TrimPrefix(name, ".")+`"`)
		m := owner.FindStringSubmatch(got)
		if m == nil || m[2] != "0" || m[3] != "0" {
			t.Errorf("/%s is not root's:\n%s", name, got)
		} else if mode := m[1]; mode[len(mode)-1] != '5' && mode[len(mode)-1] != '1' {
			t.Errorf("/%s has the mode %s: not everybody may pass", name, mode)
		}
		if name == "." {
			break
		}
	}
	link := ask(t, path, p, `stat /prompt64/agents/codex/current`)
	if !strings.Contains(link, `"versions/9.8.7-`) || !regexp.MustCompile(`User: +0 +Group: +0`).MatchString(link) {
		t.Errorf("the link to the current version:\n%s", link)
	}
	if got := ask(t, path, p, `cat "/a file"`); !strings.Contains(got, "of a test") {
		t.Errorf("the file that was given is %q", got)
	}
	if out, err := exec.Command(systemTool("e2fsck"), "-fn", fmt.Sprintf("%s?offset=%d", path, p.Offset())).CombinedOutput(); err != nil {
		t.Errorf("e2fsck: %v\n%s", err, out)
	}
}

func TestCodexIsRefusedWithAnotherDigestAndForAnUnknownVersion(t *testing.T) {
	o := codexOf(t)
	o.Codex.Digest[0] ^= 1
	if _, _, err := fillPerm(t.Context(), o, t.TempDir()); err == nil || !strings.Contains(err.Error(), "SHA-256") {
		t.Errorf("another digest: %v", err)
	}
	o.Codex.Digest = nil
	if _, _, err := fillPerm(t.Context(), o, t.TempDir()); err == nil || !strings.Contains(err.Error(), "not among the known") {
		t.Errorf("an unknown version: %v", err)
	}
}

// What mke2fs or debugfs cannot do is said, and not taken for done.
func TestPermThatCannotBeFilledIsSaid(t *testing.T) {
	path, p := emptyCard(t)
	if err := makePerm(t.Context(), path, p, filepath.Join(t.TempDir(), "nothing")); err == nil {
		t.Error("a folder that is not there was copied")
	}
	folder := t.TempDir()
	if err := makePerm(t.Context(), path, p, folder); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "late"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := giveToRoot(t.Context(), path, p, folder); err == nil || !strings.Contains(err.Error(), "late") {
		t.Errorf("a file that is not in the file system was given to root: %v", err)
	}
}

func TestImageWithCodexHasRoomForIt(t *testing.T) {
	o := codexOf(t)
	o.Project, o.Output, o.Cache = ".", "x.img", "c"
	o, err := o.complete()
	if err != nil || o.Bytes != withCodex || !filepath.IsAbs(o.Codex.Archive) {
		t.Errorf("%+v, %v", o, err)
	}
}
