package agent

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/agent/agenttest"
)

var errKilled = errors.New("killed")

// mortal is a disk that dies with its process: the step that it dies in is done
// by half, where a step has halves, and none is done after it.
type mortal struct {
	real    lazyDisk
	left    int  // steps that are done before it dies
	by      bool // the step that it dies in leaves its half behind
	steps   []string
	expired bool
}

var _ disk = (*mortal)(nil)

func (m *mortal) step(name string, half, whole func() error) error {
	switch {
	case m.expired:
		return errKilled
	case m.left == 0:
		m.expired = true
		if m.by {
			_ = half()
		}
		return errKilled
	}
	m.left--
	m.steps = append(m.steps, name)
	return whole()
}

func nothing() error { return nil }

func (m *mortal) MakeDir(path string) error {
	return m.step("make "+path, nothing, func() error { return m.real.MakeDir(path) })
}

func (m *mortal) WriteFile(path string, executable bool, r io.Reader) error {
	write := func(r io.Reader) func() error {
		return func() error { return m.real.WriteFile(path, executable, r) }
	}
	return m.step("write "+path, write(io.LimitReader(r, 10)), write(r))
}

func (m *mortal) Sync(path string) error {
	return m.step("sync "+path, nothing, func() error { return m.real.Sync(path) })
}

func (m *mortal) Rename(from, to string) error {
	move := func() error { return m.real.Rename(from, to) }
	return m.step("rename "+from, move, move)
}

func (m *mortal) Link(target, path string) error {
	link := func() error { return m.real.Link(target, path) }
	return m.step("link "+path, link, link)
}

func (m *mortal) RemoveAll(path string) error {
	half := func() error {
		if info, err := os.Lstat(path); err != nil || !info.IsDir() {
			return err
		}
		return m.real.RemoveAll(filepath.Join(path, "bin"))
	}
	return m.step("remove "+path, half, func() error { return m.real.RemoveAll(path) })
}

// killed runs an action with a disk that dies after each number of steps, in
// both ways, and looks at what is left. It returns the number of steps.
func killed(t *testing.T, prepare func(*rig), action func(*rig, disk) error, look func(*rig, int)) int {
	for n := 0; ; n++ {
		for _, by := range []bool{false, true} {
			r := newRig(t)
			prepare(r)
			m := &mortal{left: n, by: by}
			err := action(r, m)
			if !m.expired {
				if err != nil {
					t.Fatalf("without a kill: %v", err)
				}
				return n
			}
			if err == nil {
				t.Fatalf("killed after %q and yet without an error", m.steps)
			}
			look(r, n)
		}
	}
}

func TestKillAtEveryStepLeavesOldOrNew(t *testing.T) {
	t.Parallel()
	for name, olds := range map[string][]string{
		"first installation":  nil,
		"second":              {"1.0.0"},
		"third, with pruning": {"0.9.0", "1.0.0"},
	} {
		t.Run(name, func(t *testing.T) {
			var req Request
			before := ""
			if len(olds) > 0 {
				before = olds[len(olds)-1]
			}
			seen := map[string]int{}
			steps := killed(t,
				func(r *rig) {
					for _, v := range olds {
						r.install(v)
					}
					req = r.archive(agenttest.Codex{Version: "2.0.0"})
				},
				func(r *rig, d disk) error {
					in := r.in
					in.disk = d
					_, err := in.Install(t.Context(), req)
					return err
				},
				func(r *rig, n int) {
					got := r.current()
					seen[got]++
					if got != before && got != "2.0.0" {
						t.Errorf("step %d leaves %q", n, got)
					}
					// The next installation is as if nothing had happened.
					if _, err := r.in.Install(t.Context(), req); err != nil || r.current() != "2.0.0" {
						t.Errorf("step %d: again: current %s, %v", n, r.current(), err)
					}
					if before != "" && r.versions() != "2.0.0 "+before || len(r.litter()) > 0 {
						t.Errorf("step %d: again: versions %s, left %q", n, r.versions(), r.litter())
					}
				})
			if steps < 20 || seen[before] == 0 || seen["2.0.0"] == 0 {
				t.Errorf("%d steps, ended with %v", steps, seen)
			}
		})
	}
}

func TestKillAtEveryStepOfARemovalLeavesNoHalf(t *testing.T) {
	t.Parallel()
	steps := killed(t,
		func(r *rig) { r.install("1.0.0"); r.install("2.0.0") },
		func(r *rig, d disk) error {
			_, err := r.in.Store.remove(d, Codex, "")
			return err
		},
		func(r *rig, n int) {
			if got := r.current(); got != "2.0.0" && got != "" {
				t.Errorf("step %d leaves %q", n, got)
			}
			list, err := r.in.Store.List(Codex)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range list {
				if bad := v.receipt.damage(v.Dir); bad != "" {
					t.Errorf("step %d: %s: %s", n, v.Version, bad)
				}
			}
			r.install("3.0.0")
			if got := r.current(); got != "3.0.0" || len(r.litter()) > 0 {
				t.Errorf("step %d: then current %s, left %q", n, got, r.litter())
			}
		})
	if steps < 10 {
		t.Errorf("only %d steps", steps)
	}
}

// A power cut loses what was not synced. So each file and each folder of a
// version is synced before the version moves into place, and its place before
// anything points there.
func TestNothingIsChosenBeforeItIsOnTheDisk(t *testing.T) {
	r := newRig(t)
	r.install("1.0.0")
	m := &mortal{left: 1000}
	in := r.in
	in.disk = m
	if _, err := in.Install(t.Context(), r.archive(agenttest.Codex{Version: "2.0.0"})); err != nil {
		t.Fatal(err)
	}
	f := r.in.Store.folder(Codex)
	unsynced := map[string]bool{}
	moved, chosen := false, false
	for _, step := range m.steps {
		verb, path, _ := strings.Cut(step, " ")
		switch {
		case verb == "write":
			unsynced[path], unsynced[filepath.Dir(path)] = true, true
		case verb == "sync":
			delete(unsynced, path)
		case verb == "rename" && path == f.path(stagingDir, "new"):
			moved = true
			if len(unsynced) > 0 {
				t.Errorf("moved before %v", unsynced)
			}
			unsynced[f.path(versionsDir)] = true
		case verb == "link" && path == f.path(currentLink):
			chosen = true
			if !moved || len(unsynced) > 0 {
				t.Errorf("chosen before %v", unsynced)
			}
			unsynced[string(f)] = true
		case verb == "remove" && chosen && strings.HasPrefix(path, f.path(versionsDir)), verb == "rename" && chosen:
			if len(unsynced) > 0 {
				t.Errorf("%s before %v", step, unsynced)
			}
		}
	}
	if !chosen || len(unsynced) > 0 {
		t.Errorf("in the end %v", unsynced)
	}
}
