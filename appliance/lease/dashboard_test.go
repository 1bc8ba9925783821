package lease

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/providertest"
	"github.com/prompt64/prompt64/appliance/workspace"
	"github.com/prompt64/prompt64/frames"
)

// snapshotOf is a snapshot whose every row has the same diff.
func snapshotOf(lines []workspace.Line, rows ...workspace.Change) Snapshot {
	return Snapshot{Rows: rows, Diff: func(context.Context, int) ([]workspace.Line, error) { return lines, nil }}
}

// tab asks for a tab and returns its rows' data.
func tab(t *testing.T, c *c64, which frames.Tab) [][]byte {
	t.Helper()
	c.take()
	c.send(frames.DashboardGet{Tab: which})
	got := c.take()
	var rows [][]byte
	for i, e := range only[frames.DashboardEntry](got) {
		if e.Tab != which || int(e.Row) != i {
			t.Errorf("row %d is %+v", i, e)
		}
		rows = append(rows, e.Data)
	}
	if d := single[frames.DashboardDone](t, got); d.Tab != which || int(d.Count) != len(rows) {
		t.Errorf("%d rows, done %+v", len(rows), d)
	}
	return rows
}

func texts(rows [][]byte) []string {
	var out []string
	for _, r := range rows {
		out = append(out, string(r))
	}
	return out
}

func TestStatusRowsHaveTheirPlaces(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		r.ws.change(func(w *fakeWorkspaces) {
			w.sum = workspace.Summary{Repo: true, Branch: "main", Files: 3, Added: 120, Deleted: 14}
		})
		want := []string{
			"PROVIDER: fake 1.0", "WORKSPACE: /", "ACCESS: Ask Me to Approve", "REASONING: Summary", "TURN: READY",
			"BRANCH: main", "CHANGES: 3 files +120 -14", "PEER: 10.0.0.1",
		}
		if diff := cmp.Diff(want, texts(tab(t, c, frames.TabStatus))); diff != "" {
			t.Error(diff)
		}
		c.send(frames.WorkspaceSet{Path: []byte("game")})
		c.send(frames.AccessSet{Access: 0})
		c.prompt("go")
		s := r.session(1)
		s.Push(provider.UsageEvent{Used: 50000, Window: 200000})
		s.Ask("a", frames.KindFile, "write")
		r.ws.change(func(w *fakeWorkspaces) { w.sum = workspace.Summary{} })
		want = []string{
			"PROVIDER: fake 1.0", "WORKSPACE: game", "ACCESS: Read Only", "REASONING: Summary", "TURN: WAITING FOR YOU",
			"BRANCH: no git repository", "CHANGES: no git repository", "CONTEXT: 25% of 200000 tokens", "PEER: 10.0.0.1",
		}
		if diff := cmp.Diff(want, texts(tab(t, c, frames.TabStatus))); diff != "" {
			t.Error(diff)
		}
	}, func(cfg *Config) { cfg.Status = func(addr string) []string { return []string{"PEER: " + addr} } })
}

func TestStatusIsShownAlsoWhereGitFails(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		r.ws.change(func(w *fakeWorkspaces) {
			w.sum, w.err = workspace.Summary{Repo: true, Branch: "main"}, workspace.ErrTimeout
		})
		rows := texts(tab(t, c, frames.TabStatus))
		if rows[5] != "BRANCH: main" || rows[6] != "CHANGES: git took too long" {
			t.Errorf("rows %q", rows)
		}
	})
}

func TestActivityKeepsOneRowForEachOfTheNewest64(t *testing.T) {
	working(t, func(r *rig, c *c64, s *providertest.FakeSession) {
		for i := range 70 {
			id := fmt.Sprint(i)
			s.Push(provider.ActivityEvent{ID: id, Label: "step " + id})
			s.Push(provider.ActivityEvent{ID: id, Lifecycle: frames.Lifecycle(1 + i%2), Label: "step " + id})
		}
		end(s)
		rows := tab(t, c, frames.TabActivity)
		if len(rows) != 64 {
			t.Fatalf("%d rows", len(rows))
		}
		for i, data := range rows {
			var row frames.ActivityRow
			if err := row.Decode(data); err != nil {
				t.Fatal(err)
			}
			if n := i + 6; string(row.Label) != fmt.Sprint("step ", n) || row.Lifecycle != frames.Lifecycle(1+n%2) {
				t.Errorf("row %d: %d %q", i, row.Lifecycle, row.Label)
			}
		}
		c.send(frames.SessionSelect{Index: frames.SessionNew})
		if rows := tab(t, c, frames.TabActivity); len(rows) != 0 {
			t.Errorf("a new session has %d rows", len(rows))
		}
	})
}

func TestChangesAreASnapshotWithStableIndexes(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		first := []workspace.Line{{Kind: frames.LineAddition, Text: "first"}}
		second := []workspace.Line{{Kind: frames.LineDeletion, Text: "second"}}
		r.ws.change(func(w *fakeWorkspaces) {
			w.snap = snapshotOf(first,
				workspace.Change{State: 'M', Added: 70000, Deleted: 2, Path: strings.Repeat("deep/", 30) + "main.go"},
				workspace.Change{State: '?', Binary: true, Path: "pic.png"})
		})
		rows := tab(t, c, frames.TabChanges)
		var got [2]frames.ChangeRow
		for i := range got {
			if err := got[i].Decode(rows[i]); err != nil {
				t.Fatal(err)
			}
		}
		if g := got[0]; g.State != 'M' || g.Added != 0xFFFE || g.Deleted != 2 ||
			!strings.HasPrefix(string(g.Path), "...") || !strings.HasSuffix(string(g.Path), "/main.go") {
			t.Errorf("row 0: %+v %q", g, g.Path)
		}
		if g := got[1]; g.State != '?' || g.Added != frames.BinaryFile || g.Deleted != frames.BinaryFile {
			t.Errorf("row 1: %+v", g)
		}
		r.ws.change(func(w *fakeWorkspaces) { w.snap = snapshotOf(second) }) // the files changed since
		c.send(frames.DiffGet{Index: 1})
		if l := single[frames.DiffLine](t, c.take()); string(l.Text) != "first" || !l.Start || l.Kind != frames.LineAddition {
			t.Errorf("line %+v %q", l, l.Text)
		}
		tab(t, c, frames.TabChanges) // a new snapshot, without rows
		c.send(frames.DiffGet{Index: 1})
		if e := refusal(t, c.take()); e == "" {
			t.Error("no words")
		}
	})
}

func TestChangesBeyond128AreCountedInOneRowThatCannotBeOpened(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		rows := make([]workspace.Change, 300)
		for i := range rows {
			rows[i] = workspace.Change{State: 'M', Path: fmt.Sprint("f", i)}
		}
		r.ws.change(func(w *fakeWorkspaces) { w.snap = snapshotOf(nil, rows...) })
		shown := tab(t, c, frames.TabChanges)
		var last frames.ChangeRow
		if err := last.Decode(shown[128]); err != nil || len(shown) != 129 {
			t.Fatalf("%d rows, %v", len(shown), err)
		}
		if last.Added != frames.BinaryFile || last.Deleted != frames.BinaryFile || last.State != '?' || string(last.Path) != "... 172 MORE" {
			t.Errorf("last row %+v %q", last, last.Path)
		}
		c.send(frames.DiffGet{Index: 128})
		if e := refusal(t, c.take()); e == "" {
			t.Error("no words")
		}
		r.ws.change(func(w *fakeWorkspaces) {
			w.snap = snapshotOf(nil, rows[:3]...)
			w.snap.Cut = true
		})
		shown = tab(t, c, frames.TabChanges)
		if len(shown) != 4 || !strings.Contains(string(shown[3]), "NOT COUNTED") {
			t.Errorf("rows %q", shown)
		}
	})
}

func TestDiffIsCutAt12KiBInWords(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		lines := make([]workspace.Line, 1000)
		for i := range lines {
			lines[i] = workspace.Line{Kind: frames.LineContext, Text: strings.Repeat("x", 100)}
		}
		r.ws.change(func(w *fakeWorkspaces) { w.snap = snapshotOf(lines, workspace.Change{State: 'M', Path: "f"}) })
		tab(t, c, frames.TabChanges)
		c.send(frames.DiffGet{Index: 0})
		got := c.take()
		all := only[frames.DiffLine](got)
		size, starts := 0, 0
		for _, l := range all[:len(all)-1] {
			size += len(l.Text)
			if l.Start {
				starts++
			}
		}
		last := all[len(all)-1]
		if size != frames.MaxDetail || starts != 123 || string(last.Text) != "... 878 MORE LINES" || last.Kind != frames.LineMetadata {
			t.Errorf("%d bytes in %d lines, then %q", size, starts, last.Text)
		}
		if cut := all[len(all)-2].Text; !strings.HasSuffix(string(cut), "x...") {
			t.Errorf("a line that is cut looks whole: %q", cut)
		}
		single[frames.DiffDone](t, got)
	})
}

func TestActionsFitTheFolderAndAreRefusedInATurn(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		plain := texts(tab(t, c, frames.TabActions))
		r.ws.change(func(w *fakeWorkspaces) { w.sum = workspace.Summary{Repo: true, Files: 1} })
		dirty := texts(tab(t, c, frames.TabActions))
		if diff := cmp.Diff(plain, dirty[:len(plain)]); diff != "" {
			t.Errorf("indexes moved:\n%s", diff)
		}
		if len(dirty) != len(actions) || len(plain) >= len(dirty) {
			t.Errorf("%d and %d actions", len(plain), len(dirty))
		}
		for i := range actions {
			c.send(frames.ActionGet{Index: uint8(i)})
			if a := single[frames.ActionText](t, c.take()); string(a.Text) != actions[i].prompt {
				t.Errorf("action %d is cut to %q", i, a.Text)
			}
		}
		c.prompt("go")
		for _, m := range []frames.Message{frames.DashboardGet{Tab: frames.TabActions}, frames.ActionGet{}} {
			c.send(m)
			if e := refusal(t, c.take()); !strings.HasPrefix(e, "ACTIONS") {
				t.Errorf("refused with %q", e)
			}
		}
		tab(t, c, frames.TabStatus) // the others may be looked at
	})
}

func TestActivityThatWasCutShortHasFailed(t *testing.T) {
	bubble(t, func(r *rig) {
		c := r.dial()
		c.prompt("go")
		r.session(1).Push(
			provider.ActivityEvent{ID: "1", Lifecycle: frames.ActivityCompleted, Label: "ls"},
			provider.ActivityEvent{ID: "2", Label: "sleep 100"})
		c.take()
		c.send(frames.TurnCancel{})
		var states []frames.Lifecycle
		for _, data := range tab(t, c, frames.TabActivity) {
			states = append(states, frames.Lifecycle(data[0]))
		}
		if len(states) != 2 || states[0] != frames.ActivityCompleted || states[1] != frames.ActivityFailed {
			t.Errorf("states %v", states)
		}
	})
}

func TestHugeLinesAreCutBeforeTheyAreShaped(t *testing.T) {
	huge := strings.Repeat("\u00e9", 4<<20)
	if n := len(head(huge, Settings{}, 90)); n != 90 {
		t.Errorf("head of %d bytes", n)
	}
	if n := len(tail(huge, Settings{}, 90)); n != 90 {
		t.Errorf("tail of %d bytes", n)
	}
	p := diffFrames([]workspace.Line{{Text: "one"}, {Text: huge}, {Text: "three"}}, Settings{})
	size, last := 0, ""
	for {
		b, ok := p(nil)
		if !ok {
			break
		}
		if m, err := decodeToC64(b); err != nil {
			t.Fatal(err)
		} else if l, ok := m.(frames.DiffLine); ok {
			size += len(l.Text)
			last = string(l.Text)
		}
	}
	if size-len(last) != frames.MaxDetail || last != "... 2 MORE LINES" {
		t.Errorf("%d bytes, then %q", size-len(last), last)
	}
}
