package demo

import (
	"errors"
	"os"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider"
)

func TestWorkspaceThatWasRemovedIsCalledGone(t *testing.T) {
	r := newRig(t)
	if err := os.RemoveAll(r.workspace); err != nil {
		t.Fatal(err)
	}
	for _, prompt := range []string{"/write a.txt x", "/run ls", "list the folder"} {
		r.wantWords(r.free(prompt), "folder is gone")
	}
	r.wantWords(r.free("/run nosuchprogram"), "no program")
}

func TestSessionInAFolderThatIsGoneDoesNotOpen(t *testing.T) {
	p, err := New(Config{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	dir := t.TempDir()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Open(t.Context(), provider.Spec{Workspace: dir}); !errors.Is(err, errFolderGone) {
		t.Errorf("opened with %v", err)
	}
}
