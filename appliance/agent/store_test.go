package agent

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/agent/agenttest"
)

func TestNothingInstalledIsSaidAndNothingIsMade(t *testing.T) {
	data := t.TempDir()
	s := Open(data)
	if _, err := s.Use(Codex); !errors.Is(err, ErrNotInstalled) {
		t.Error(err)
	}
	if list, err := s.List(Codex); err != nil || len(list) > 0 {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := s.Remove(Codex, ""); !errors.Is(err, ErrNotInstalled) {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(data); len(entries) > 0 {
		t.Errorf("made %v", entries)
	}
}

func TestRemovalKeepsTheCurrentVersionUnlessAllGo(t *testing.T) {
	r := newRig(t)
	r.install("1.0.0")
	r.install("2.0.0")
	if _, err := r.in.Store.Remove(Codex, "2.0.0"); err == nil || !strings.Contains(err.Error(), "install another one first") {
		t.Error(err)
	}
	if _, err := r.in.Store.Remove(Codex, "9.9.9"); !errors.Is(err, ErrNotInstalled) {
		t.Error(err)
	}
	if gone, err := r.in.Store.Remove(Codex, "1.0.0"); err != nil || len(gone) != 1 || r.versions() != "2.0.0" {
		t.Errorf("%v, %v, left %s", gone, err, r.versions())
	}
	if gone, err := r.in.Store.Remove(Codex, ""); err != nil || len(gone) != 1 || r.current() != "" || r.versions() != "" {
		t.Errorf("%v, %v, left %s", gone, err, r.versions())
	}
}

func TestLinkThatLeavesTheFolderIsNotFollowed(t *testing.T) {
	r := newRig(t)
	r.install("1.0.0")
	link := r.in.Store.folder(Codex).path(currentLink)
	for _, target := range []string{"/bin", "../../elsewhere", "versions/../../x/y", "versions"} {
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		if _, err := r.in.Store.Use(Codex); !errors.Is(err, ErrNotInstalled) {
			t.Errorf("link to %s: %v", target, err)
		}
	}
}

func TestDamageIsSaidByFile(t *testing.T) {
	r := newRig(t)
	v := r.install("1.0.0")
	if err := os.Remove(filepath.Join(v.Dir, "codex-path/rg")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(v.Dir, "bin/codex"), []byte("x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := v.receipt.damage(v.Dir); got != "bin/codex is not as it was installed, codex-path/rg is missing" {
		t.Error(got)
	}
	outside := receiptFile{Name: "../../../etc/passwd"}
	if got := outside.damage(v.Dir); got != "is no file of this version" {
		t.Error(got)
	}
	if err := os.WriteFile(filepath.Join(v.Dir, receiptName), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := r.in.Store.Use(Codex); err == nil || !strings.Contains(err.Error(), "install it again") {
		t.Error(err)
	}
}

func TestInstallationMendsWhatLostItsReceipt(t *testing.T) {
	r := newRig(t)
	req := r.archive(agenttest.Codex{Version: "1.0.0"})
	v, err := r.in.Install(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(v.Dir, receiptName)); err != nil {
		t.Fatal(err)
	}
	if list, err := r.in.Store.List(Codex); err != nil || len(list) != 1 || !list[0].Damaged || !list[0].Current {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := r.in.Install(t.Context(), req); err != nil || r.current() != "1.0.0" {
		t.Error(err)
	}
	if gone, err := r.in.Store.Remove(Codex, ""); err != nil || len(gone) != 2 {
		t.Errorf("%v, %v", gone, err)
	}
}
