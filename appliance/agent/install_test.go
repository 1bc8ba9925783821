package agent

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/prompt64/prompt64/appliance/agent/agenttest"
	"github.com/prompt64/prompt64/appliance/agent/fetch"
)

func TestInstalledVersionIsWholeAndCurrent(t *testing.T) {
	for _, format := range agenttest.Formats {
		for _, root := range []string{"", "package/vendor/aarch64-unknown-linux-musl/"} {
			r := newRig(t)
			r.in.disk = nil // the real one
			c := agenttest.Codex{Version: "1.0.0"}
			v, err := r.in.Install(t.Context(), r.keep("1.0.0", agenttest.Archive(t, format, c.Entries(t, root))))
			if err != nil || !v.Current || r.current() != "1.0.0" {
				t.Errorf("%s in %q: %+v, %v", format, root, v, err)
			}
			for name, mode := range map[string]os.FileMode{"bin/codex": 0o755, "bin/codex-code-mode-host": 0o755, "codex-package.json": 0o644} {
				if info, err := os.Stat(filepath.Join(v.Dir, name)); err != nil || info.Mode() != mode {
					t.Errorf("%s: %v, %v", name, info.Mode(), err)
				}
			}
			if _, err := os.Stat(filepath.Join(v.Dir, "codex-resources/voice")); err == nil {
				t.Error("what is not needed was unpacked")
			}
			if left := r.litter(); len(left) > 0 {
				t.Errorf("left %q", left)
			}
		}
	}
}

func TestVersionIsFetchedAndGoesOnAfterACut(t *testing.T) {
	r := newRig(t)
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	r.in.Client = &http.Client{Transport: transport}
	var stages []Stage
	r.in.Progress = func(p Progress) {
		if len(stages) == 0 || stages[len(stages)-1] != p.Stage {
			stages = append(stages, p.Stage)
		}
	}
	data := agenttest.Archive(t, "tar.gz", agenttest.Codex{Version: "1.0.0"}.Entries(t, ""))
	req := r.keep("1.0.0", data)
	server := agenttest.Serve(t, data, agenttest.CutAt(100), agenttest.CutAt(150))
	req.From = server.URL
	if _, err := r.in.Install(t.Context(), req); err != nil || r.current() != "1.0.0" {
		t.Fatal(err)
	}
	if got := server.Requests(); !slices.Equal(got, []string{"", "bytes=100-", "bytes=150-"}) {
		t.Errorf("asked for %q", got)
	}
	want := []Stage{Checking, Downloading, Checking, Unpacking, Testing, Switching}
	if !slices.Equal(stages, want) {
		t.Errorf("stages %q, want %q", stages, want)
	}
	if left := r.litter(); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

func TestWrongDigestUnpacksNothing(t *testing.T) {
	r := newRig(t)
	req := r.archive(agenttest.Codex{Version: "1.0.0"})
	req.Digest[0] ^= 1
	r.refused(req, "not the expected one")
	if r.versions() != "" || len(r.litter()) > 0 {
		t.Errorf("versions %q, left %q", r.versions(), r.litter())
	}
	if _, err := r.in.Install(t.Context(), req); !errors.Is(err, fetch.ErrDigest) {
		t.Error(err)
	}
}

func TestArchiveThatIsNoneChangesNothing(t *testing.T) {
	r := newRig(t)
	r.install("1.0.0")
	another := agenttest.Codex{Version: "2.0.0"}.Entries(t, "package/vendor/x86_64-unknown-linux-musl/")
	for words, data := range map[string][]byte{
		"neither a tar":           []byte("<html>"),
		"lacks bin/codex":         agenttest.Archive(t, "tar.gz", another),
		"path outside":            agenttest.Archive(t, "zip", []agenttest.Entry{{Name: "../../x", Body: "x"}}),
		"no plain file":           agenttest.Archive(t, "tar.gz", []agenttest.Entry{{Name: "bin/codex", Link: "/bin/sh"}}),
		"codex-code-mode-host":    agenttest.Archive(t, "tar.gz", []agenttest.Entry{{Name: "bin/codex", Body: "x"}}),
		"nothing was changed: un": agenttest.Archive(t, "tar.zst", nil),
	} {
		r.refused(r.keep("2.0.0", data), words)
		if r.current() != "1.0.0" || r.versions() != "1.0.0" {
			t.Errorf("%s: current %s of %s", words, r.current(), r.versions())
		}
	}
}

func TestFailedTestLeavesTheFormerVersion(t *testing.T) {
	r := newRig(t)
	r.install("1.0.0")
	r.in.Tests = []Test{works, fails}
	r.refused(r.archive(agenttest.Codex{Version: "2.0.0"}), "nothing was changed: it coughs")
	if r.current() != "1.0.0" || r.versions() != "1.0.0" || len(r.litter()) > 0 {
		t.Errorf("current %s of %s, left %q", r.current(), r.versions(), r.litter())
	}
}

func TestVersionThatDoesNotStartInItsPlaceIsTakenBack(t *testing.T) {
	r := newRig(t)
	r.install("1.0.0")
	r.install("2.0.0")
	r.in.Again = fails
	r.refused(r.archive(agenttest.Codex{Version: "3.0.0"}), "the version before it is back: it coughs")
	if r.current() != "2.0.0" {
		t.Errorf("current is %s", r.current())
	}
	r.in.Again = works
	r.install("4.0.0") // sweeps up
	if got := r.versions(); got != "4.0.0 2.0.0" {
		t.Errorf("versions %s", got)
	}
}

func TestTwoVersionsAreKept(t *testing.T) {
	r := newRig(t)
	for _, c := range []struct{ install, want string }{
		{"1.0.0", "1.0.0"},
		{"2.0.0", "2.0.0 1.0.0"},
		{"3.0.0", "3.0.0 2.0.0"},
		{"3.0.0", "3.0.0 2.0.0"},
		{"2.0.0", "2.0.0 3.0.0"},
		{"4.0.0", "4.0.0 2.0.0"},
	} {
		r.install(c.install)
		if got := r.versions(); got != c.want {
			t.Errorf("after %s: %s, want %s", c.install, got, c.want)
		}
	}
}

func TestGoingBackNeedsNoArchive(t *testing.T) {
	r := newRig(t)
	first := r.archive(agenttest.Codex{Version: "1.0.0"})
	if _, err := r.in.Install(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	r.install("2.0.0")
	first.From = filepath.Join(t.TempDir(), "gone")
	if _, err := r.in.Install(t.Context(), first); err != nil || r.current() != "1.0.0" {
		t.Errorf("current %s: %v", r.current(), err)
	}
}

func TestDamagedVersionIsInstalledAnew(t *testing.T) {
	r := newRig(t)
	req := r.archive(agenttest.Codex{Version: "1.0.0"})
	v, err := r.in.Install(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(v.Dir, "bin/codex"), []byte("rust"), 0o755); err != nil {
		t.Fatal(err)
	}
	again, err := r.in.Install(t.Context(), req)
	if err != nil || again.Dir == v.Dir || r.current() != "1.0.0" {
		t.Errorf("%s after %s: %v", again.Dir, v.Dir, err)
	}
}

func TestVersionInUseStays(t *testing.T) {
	r := newRig(t)
	r.install("1.0.0")
	used, err := r.in.Store.Use(Codex)
	if err != nil {
		t.Fatal(err)
	}
	r.install("2.0.0")
	r.install("3.0.0")
	if _, err := os.Stat(used.Path); err != nil {
		t.Errorf("the program in use is gone: %v", err)
	}
	if _, err := r.in.Store.Remove(Codex, "1.0.0"); err == nil {
		t.Error("removed a version in use")
	}
	if err := used.Close(); err != nil {
		t.Fatal(err)
	}
	r.install("4.0.0")
	if got := r.versions(); got != "4.0.0 3.0.0" {
		t.Errorf("versions %s", got)
	}
}

func TestOneCommandAtATime(t *testing.T) {
	r := newRig(t)
	r.install("1.0.0")
	second := r.archive(agenttest.Codex{Version: "3.0.0"})
	r.in.Tests = []Test{func(context.Context, Trial) error {
		other := newRig(t)
		other.in.Store = r.in.Store
		if _, err := other.in.Install(t.Context(), second); !errors.Is(err, ErrBusy) {
			t.Errorf("second installation: %v", err)
		}
		if _, err := r.in.Store.Remove(Codex, ""); !errors.Is(err, ErrBusy) {
			t.Errorf("removal: %v", err)
		}
		return nil
	}}
	r.install("2.0.0")
}

func TestNoRoomIsSaidBeforeAnythingIsWritten(t *testing.T) {
	r := newRig(t)
	r.in.free = func(string) (int64, error) { return 50 << 20, nil }
	r.refused(r.archive(agenttest.Codex{Version: "1.0.0"}), "only 53 MB are free: make room")
	data := agenttest.Archive(t, "tar.gz", agenttest.Codex{Version: "1.0.0"}.Entries(t, ""))
	req := r.keep("1.0.0", data)
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	r.in.Client = &http.Client{Transport: transport}
	req.From = agenttest.Serve(t, data).URL
	r.refused(req, "make room")
	if r.versions() != "" {
		t.Errorf("versions %s", r.versions())
	}
}

func TestEndedInstallationChangesNothing(t *testing.T) {
	r := newRig(t)
	r.install("1.0.0")
	ctx, cancel := context.WithCancelCause(t.Context())
	r.in.Progress = func(p Progress) {
		if p.Stage == Unpacking {
			cancel(errors.New("interrupted"))
		}
	}
	if _, err := r.in.Install(ctx, r.archive(agenttest.Codex{Version: "2.0.0"})); err == nil {
		t.Error("installed")
	}
	if r.current() != "1.0.0" {
		t.Errorf("current is %s", r.current())
	}
}
