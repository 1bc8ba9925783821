package demo

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/provider/transcript"
	"github.com/prompt64/prompt64/frames"
)

// newProvider makes the demo over a data folder; its log is kept.
func newProvider(t *testing.T, data string, now func() time.Time) (*Provider, *bytes.Buffer) {
	t.Helper()
	log := &bytes.Buffer{}
	p, err := New(Config{DataDir: data, Now: now, Logger: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p, log
}

// hold plays prompts in a session, which it closes, and returns its ID.
func hold(t *testing.T, p *Provider, workspace, id string, prompts ...string) string {
	t.Helper()
	s, err := p.Open(t.Context(), provider.Spec{Workspace: workspace, SessionID: id})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := &rig{t: t, s: s, workspace: workspace}
	for _, prompt := range prompts {
		r.ask(prompt)
	}
	return s.ID()
}

// titles lists a workspace.
func titles(t *testing.T, p *Provider, workspace string) string {
	t.Helper()
	list, err := p.Sessions(t.Context(), workspace)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, info := range list {
		all = append(all, info.Title)
	}
	return strings.Join(all, ",")
}

func TestTornOrForeignFilesNeverBreakTheList(t *testing.T) {
	data, workspace := t.TempDir(), t.TempDir()
	p, _ := newProvider(t, data, nil)
	good := hold(t, p, workspace, "", "good")
	torn := hold(t, p, workspace, "", "torn")
	_ = p.Close()
	dir := filepath.Join(data, "demo")
	whole, err := os.ReadFile(filepath.Join(dir, torn+".json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		torn + ".json":            string(whole[:len(whole)/2]),
		"empty.json":              "",
		"null.json":               "null",
		"list.json":               "[1]",
		"version.json":            `{"version":99,"id":"version","workspace":"/w"}`,
		"other.json":              strings.Replace(string(whole), torn, "another", 1),
		"NAME OF NO ONE.json":     "{}",
		"readme.txt":              "hello",
		"huge.json":               strings.Repeat(" ", 4<<20+10),
		"holes.json":              fmt.Sprintf(`{"version":1,"id":"holes","workspace":%q,"title":"holes","turns":[null]}`, workspace),
		"." + torn + ".json12345": "half a write",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	again, log := newProvider(t, data, nil)
	if got := titles(t, again, workspace); got != "good,holes" {
		t.Errorf("the list is %q", got)
	}
	if !strings.Contains(log.String(), torn) {
		t.Error("the torn file is not in the log")
	}
	if kept, _ := os.ReadFile(filepath.Join(dir, torn+".json")); len(kept) != len(whole)/2 {
		t.Error("the torn file was not left alone")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) != 0 {
		t.Errorf("half a write was left: %q", left)
	}
	hold(t, again, workspace, good, "more")
	hold(t, again, workspace, "holes", "more")
}

func TestListDoesNotFollowTheWallClock(t *testing.T) {
	data, workspace := t.TempDir(), t.TempDir()
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := func() time.Time { now = now.Add(-24 * time.Hour); return now }
	p, _ := newProvider(t, data, clock)
	first := hold(t, p, workspace, "", "first")
	hold(t, p, workspace, "", "second")
	if got := titles(t, p, workspace); got != "second,first" {
		t.Errorf("the list is %q", got)
	}
	_ = p.Close()
	again, _ := newProvider(t, data, clock)
	hold(t, again, workspace, first, "again")
	if got := titles(t, again, workspace); got != "first,second" {
		t.Errorf("after the restart the list is %q", got)
	}
}

func TestStoredSessionsAreBoundedAndOpenOnesStay(t *testing.T) {
	data, workspace := t.TempDir(), t.TempDir()
	p, _ := newProvider(t, data, nil)
	oldest, err := p.Open(t.Context(), provider.Spec{Workspace: workspace})
	if err != nil {
		t.Fatal(err)
	}
	(&rig{t: t, s: oldest}).ask("oldest")
	for i := range frames.MaxSessions + 3 {
		hold(t, p, workspace, "", fmt.Sprintf("/say %d", i))
	}
	list, err := p.Sessions(t.Context(), workspace)
	if err != nil || len(list) != frames.MaxSessions {
		t.Fatalf("%d sessions are listed, %v", len(list), err)
	}
	if last := list[len(list)-1]; last.ID != oldest.ID() {
		t.Errorf("the session that is open was dropped for %q", last.Title)
	}
	files, _ := filepath.Glob(filepath.Join(data, "demo", "*.json"))
	if len(files) != frames.MaxSessions {
		t.Errorf("%d files are left", len(files))
	}
	other := t.TempDir()
	hold(t, p, other, "", "elsewhere")
	if got := titles(t, p, other); got != "elsewhere" {
		t.Errorf("the other workspace lists %q", got)
	}
}

func TestOneSessionIsBoundedAndItsNewestTurnStays(t *testing.T) {
	data, workspace := t.TempDir(), t.TempDir()
	p, _ := newProvider(t, data, nil)
	id := hold(t, p, workspace, "", "/say the first", "/big 30", "/big 30", "/big 30", "/big 30", "/big 300", "/say last")
	s, err := p.Open(t.Context(), provider.Spec{Workspace: workspace, SessionID: id})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := s.History(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, e := range entries {
		size += len(e.Text)
	}
	if size > transcript.MaxSession+1024 || entries[0].Text == "/say the first" || entries[len(entries)-1].Text != "last" {
		t.Errorf("%d bytes are kept, from %q to %q", size, entries[0].Text, entries[len(entries)-1].Text)
	}
	if cut := entries[len(entries)-3].Text; !strings.Contains(cut, "more bytes were not kept") {
		t.Error("an answer that was cut does not say so")
	}
}

func TestFolderThatCannotBeWrittenCostsNoTurn(t *testing.T) {
	data, workspace := t.TempDir(), t.TempDir()
	// A file in the place of the folder: not even root can write into it.
	if err := os.WriteFile(filepath.Join(data, "demo"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p, log := newProvider(t, data, nil)
	id := hold(t, p, workspace, "", "/say one")
	if got := titles(t, p, workspace); got != "/say one" {
		t.Errorf("the list is %q", got)
	}
	// Until the bridge ends it is resumed from memory.
	hold(t, p, workspace, id, "/say two")
	s, err := p.Open(t.Context(), provider.Spec{Workspace: workspace, SessionID: id})
	if err != nil {
		t.Fatal(err)
	}
	if entries, err := s.History(t.Context()); err != nil || len(entries) != 4 {
		t.Errorf("the history is %q, %v", entries, err)
	}
	if !strings.Contains(log.String(), "could not be stored") {
		t.Error("the log says nothing")
	}
}

func TestTurnIsOnDiskBeforeItEnds(t *testing.T) {
	data, workspace := t.TempDir(), t.TempDir()
	p, _ := newProvider(t, data, nil)
	s, err := p.Open(t.Context(), provider.Spec{Workspace: workspace})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context(), "/hang", provider.TurnOptions{}); err != nil {
		t.Fatal(err)
	}
	<-s.Events()
	// A second provider over the same folder stands for the bridge after a kill.
	again, _ := newProvider(t, data, nil)
	if got := titles(t, again, workspace); got != "/hang" {
		t.Errorf("the list is %q", got)
	}
}

func TestHistoryMarksHowATurnEnded(t *testing.T) {
	data, workspace := t.TempDir(), t.TempDir()
	p, _ := newProvider(t, data, nil)
	id := hold(t, p, workspace, "", "/fail no luck", "/crash")
	s, err := p.Open(t.Context(), provider.Spec{Workspace: workspace, SessionID: id})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := s.History(t.Context())
	if err != nil || len(entries) != 4 {
		t.Fatalf("the history is %q, %v", entries, err)
	}
	if entries[1].Text != "(failed: no luck)" || !strings.HasPrefix(entries[3].Text, "I am about to crash.\n\n(failed: ") {
		t.Errorf("the answers are %q and %q", entries[1].Text, entries[3].Text)
	}
}

func TestOpenRefusesWhatIsNoWorkspace(t *testing.T) {
	p, _ := newProvider(t, t.TempDir(), nil)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, workspace := range []string{"", "relative", file, file + "/none"} {
		if s, err := p.Open(t.Context(), provider.Spec{Workspace: workspace}); err == nil {
			t.Errorf("opened %q", workspace)
			_ = s.Close()
		}
	}
	if _, err := New(Config{}); err == nil {
		t.Error("made a demo without a data folder")
	}
}

func TestSessionOfAnotherWorkspaceDoesNotExist(t *testing.T) {
	p, _ := newProvider(t, t.TempDir(), nil)
	id := hold(t, p, t.TempDir(), "", "hello")
	s, err := p.Open(t.Context(), provider.Spec{Workspace: t.TempDir(), SessionID: id})
	if err == nil {
		_ = s.Close()
		t.Error("a session was opened from another workspace")
	}
}
