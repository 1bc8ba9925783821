package lease

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/prompt64/prompt64/appliance/workspace"
	"github.com/prompt64/prompt64/frames"
)

// inRoot makes a lease's folders of real ones.
func inRoot(t *testing.T, names ...string) Workspaces {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r, err := workspace.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return FromRoot(r)
}

func TestEveryFolderCanBeChosenByTheNameThatIsShown(t *testing.T) {
	names := []string{"plain", "Gr\u00fc\u00dfe", "a\u2500b", "\u6f22\u5b57", strings.Repeat("long ", 30) + "x", "-dash", "sp ace"}
	ws := inRoot(t, names...)
	for display := range uint8(2) {
		bubble(t, func(r *rig) {
			c := r.dial()
			c.send(frames.SettingsSet{Reasoning: 1, HasDisplay: true, Display: display})
			c.send(frames.WorkspaceListGet{})
			shown := only[frames.WorkspaceEntry](c.take())
			if len(shown) != len(names) {
				t.Errorf("%d folders shown", len(shown))
			}
			got := map[string]bool{}
			for _, e := range shown {
				c.send(frames.WorkspaceSet{Path: e.Name})
				synctest.Wait()
				if all := c.take(); len(only[frames.Error](all)) > 0 {
					t.Errorf("display %d: %q: %s", display, e.Name, show(all))
				}
				got[r.table.Snapshot()[0].Workspace] = true
			}
			for _, name := range names {
				if !got[name] {
					t.Errorf("display %d: %q cannot be chosen", display, name)
				}
			}
		}, func(cfg *Config) { cfg.Workspaces = ws })
	}
}

func TestNamesThatLookTheSameAreNotConfused(t *testing.T) {
	ws := inRoot(t, "caf\u00e9", "caf\u00e8")
	bubble(t, func(r *rig) {
		c := r.dial()
		c.send(frames.WorkspaceSet{Path: []byte("cafe")})
		if e := refusal(t, c.take()); !strings.Contains(e, "several") {
			t.Errorf("refused with %q", e)
		}
	}, func(cfg *Config) { cfg.Workspaces = ws })
}

func TestAFolderOutsideAnyRepositoryHasAStatusButNoChanges(t *testing.T) {
	ws := inRoot(t, "plain")
	bubble(t, func(r *rig) {
		c := r.dial()
		c.send(frames.WorkspaceSet{Path: []byte("plain")})
		rows := texts(tab(t, c, frames.TabStatus))
		if rows[5] != "BRANCH: no git repository" || rows[6] != "CHANGES: no git repository" {
			t.Errorf("rows %q", rows)
		}
		c.send(frames.DashboardGet{Tab: frames.TabChanges})
		c.refused("CHANGES: not a git repository")
	}, func(cfg *Config) { cfg.Workspaces = ws })
}
