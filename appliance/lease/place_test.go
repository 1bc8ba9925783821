package lease

import (
	"os"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/frames"
)

func TestTurnIsNeverPlayedInAFolderThatWasReplaced(t *testing.T) {
	for name, tc := range map[string]struct {
		replace func(folder, outside, inside string) error
		words   string
	}{
		"removed":              {func(string, string, string) error { return nil }, "no such folder"},
		"by a link out":        {func(f, outside, _ string) error { return os.Symlink(outside, f) }, "outside"},
		"by a link to another": {func(f, _, inside string) error { return os.Symlink(inside, f) }, "elsewhere"},
	} {
		for _, running := range []bool{false, true} { // a session is open there already
			ws, outside := inRoot(t, "mine", "other"), t.TempDir()
			bubble(t, func(r *rig) {
				c := r.dial()
				c.send(frames.WorkspaceSet{Path: []byte("mine")})
				if running {
					c.prompt("first")
					end(r.session(1))
				}
				played := r.agent.Count(providertest.OpStart)
				mine, err := ws.Resolve("mine")
				if err != nil {
					t.Fatal(err)
				}
				other, err := ws.Resolve("other")
				if err != nil {
					t.Fatal(err)
				}
				if err := os.Remove(mine.Abs); err != nil {
					t.Fatal(err)
				}
				if err := tc.replace(mine.Abs, outside, other.Abs); err != nil {
					t.Fatal(err)
				}
				c.take()
				c.prompt("second")
				if f := single[frames.TurnFailed](t, c.take()); !strings.Contains(string(f.Summary), tc.words) {
					t.Errorf("%s, open %v: failed with %q", name, running, f.Summary)
				}
				if n := r.agent.Count(providertest.OpStart); n != played {
					t.Errorf("%s, open %v: the agent was started there", name, running)
				}
				c.send(frames.WorkspaceSet{Path: []byte("other")})
				c.prompt("third")
				if n := r.agent.Count(providertest.OpStart); n != played+1 {
					t.Errorf("%s, open %v: another workspace does not mend it", name, running)
				}
			}, func(cfg *Config) { cfg.Workspaces = ws })
		}
	}
}
