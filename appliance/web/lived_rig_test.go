package web_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/folders"
	"github.com/prompt64/prompt64/appliance/health"
	"github.com/prompt64/prompt64/appliance/lease"
	"github.com/prompt64/prompt64/appliance/provider"
	"github.com/prompt64/prompt64/appliance/support"
	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/web"
	"github.com/prompt64/prompt64/frames"
)

// unbroken is a word that no line has room for.
var unbroken = strings.Repeat("donaudampfschifffahrt", 12)

// oddNames are of networks: a picture, as long as a name can be, and HTML.
var oddNames = []string{"🐧📶 Pinguin-Nest 🧊🧊", strings.Repeat("W", 32), `</span><b>"x" & 'y'</b><script>`}

// lived is a device that has been lived in.
type lived struct {
	url  string
	now  atomic.Pointer[update.State]
	tree atomic.Pointer[health.Report]
}

// live moves in: all that a page shows is there in plenty.
func live(t *testing.T) *lived {
	t.Helper()
	l := &lived{}
	l.now.Store(&update.State{Ready: true, Phase: update.Idle, Running: "v1.2.3"})
	l.tree.Store(wholeTree(health.OK))
	r := ready(t, func(c *web.Config) {
		c.Updates, c.Logs, c.Conversations, c.Workspaces = l, manyLines(), talking{}, manyFolders(t)
		c.Tree = func(context.Context) health.Report { return *l.tree.Load() }
		c.Agents, c.Wifi, c.Ultimates = &fakeAgents{}, oddWifi{}, &manyUltimates{}
		c.Ports = func() []string { return []string{"/dev/ttyUSB0"} }
	})
	err := r.store.Update(func(s *config.Settings) error {
		s.Provider, s.Serial.Port, s.Pairing.Code = "codex", "/dev/ttyUSB0", config.NewSecret("K7QPX2ZM")
		s.Hostname = strings.Repeat("schreibtisch-", 4) + "commodore"
		for _, name := range oddNames {
			s.Wifi = append(s.Wifi, config.Network{SSID: name, PSK: config.NewSecret("a good password"), Region: "DE"})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	l.url = r.serve()
	return l
}

func (l *lived) State() update.State { return *l.now.Load() }
func (l *lived) Receive(context.Context, io.Reader, int64, update.Consent) error {
	return update.ErrBusy
}
func (l *lived) Revert(context.Context) error { return update.ErrBusy }
func (l *lived) RebootNow()                   {}

// wholeTree has every node, all of them in one state.
func wholeTree(state health.State) *health.Report {
	var r health.Report
	for i, id := range []string{health.Power, health.Data, health.Settings, health.Wifi, health.Network, health.Clock,
		health.Agent, health.Workspace, health.Serial, health.Bridge, health.C64} {
		n := health.Node{ID: id, Name: strings.ToUpper(id[:1]) + id[1:], State: state, Detail: "/perm/prompt64/" + id + ": 27 GB are free"}
		if i > 0 && i < 7 {
			n.Needs = []string{r.Nodes[i-1].ID}
		}
		if state == health.Fail {
			n.Detail = "it does not answer at 192.168.100.164:6464: " + unbroken
			n.Hint = "Switch off and on again. If it stays like this, the card is worn out: write a new one, and see " + unbroken
		}
		r.Nodes = append(r.Nodes, n)
	}
	return &r
}

// manyFolders are twenty workspaces with names as long as they can be.
func manyFolders(t *testing.T) *folders.Keeper {
	t.Helper()
	dir := t.TempDir()
	for i := range 20 {
		name := fmt.Sprintf("%02d-%s", i, unbroken[:57])
		if i%2 == 0 {
			name = fmt.Sprintf("%02d a game with a rather long name that nobody shortens", i)
		}
		if err := os.MkdirAll(filepath.Join(dir, name, []string{".git", "src"}[i%2]), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	keeper, err := folders.Open(dir, folders.Options{InUse: func(name string) bool { return strings.HasPrefix(name, "03") }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { keeper.Close() })
	return keeper
}

// manyLines is a log of seven hundred lines.
func manyLines() *support.Log {
	l := support.NewLog(io.Discard, &support.Redactor{})
	log := slog.New(l.Handler(slog.LevelDebug))
	levels := []slog.Level{slog.LevelInfo, slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelInfo, slog.LevelError, slog.LevelDebug}
	for i := range 700 {
		log.Log(context.Background(), levels[i%len(levels)], "line", "n", i, "err", errors.New(unbroken[:20+i%200]), "path", "/perm/prompt64/workspaces")
	}
	return l
}

type oddWifi struct{}

func (oddWifi) Line() (string, string) {
	return oddNames[1] + ", 192.168.100.164, signal weak", "wrong password for " + oddNames[2] + ": enter it again"
}

func (oddWifi) Scan(context.Context) ([]web.WifiNetwork, error) {
	return []web.WifiNetwork{
		{SSID: oddNames[0], Signal: "strong", Locked: true}, {SSID: oddNames[1], Signal: "weak"},
		{SSID: oddNames[2], Signal: "good", Locked: true, Why: "it speaks WPA3 only, which this device cannot"},
	}, nil
}

type manyUltimates struct{ fakeUltimates }

func (*manyUltimates) Find(context.Context) ([]web.Ultimate, error) {
	return []web.Ultimate{
		{Address: "192.168.100.170", Product: "Ultimate 64 Elite II 3.12a", Name: unbroken[:32], CanRun: true, Own: "192.168.100.164"},
		{Address: "192.168.100.171", Product: "Ultimate II+L 3.11", Name: "u2pl", CanOn: true, CanRun: true, Own: "192.168.100.164",
			Trouble: "The command interface is off, so the C64 cannot reach the network. Switch it on here."},
		{Address: "192.168.100.172", Product: "1541 Ultimate II 3.6", Trouble: "Its firmware is too old: " + unbroken},
	}, nil
}

// talking are three C64s, of which the first has said much.
type talking struct{}

func (talking) Watch(int, uint64) (*lease.Watch, error) { return nil, lease.ErrNoLease }
func (talking) Snapshot() []lease.Info {
	return []lease.Info{
		{ID: 1, Addr: "192.168.100.64", Attached: true, Turn: "WAITING FOR YOU", Workspace: "01-" + unbroken[:57], Session: "Make the sprites of the second level move, and " + unbroken[:40]},
		{ID: 2, Addr: "serial /dev/ttyUSB0", Attached: true, Stale: true, Turn: "WORKING"},
		{ID: 3, Turn: lease.NoAnswer, Session: "a game"},
	}
}

// Transcript is two hundred turns, and a question that nobody has answered yet.
func (talking) Transcript(context.Context, int) ([]lease.Said, error) {
	var all []lease.Said
	say := func(s lease.Said) {
		s.At, s.Next = uint64(len(all)), uint64(len(all)+1)
		all = append(all, s)
	}
	change := []provider.DetailLine{{Text: "src/" + unbroken + ".s"}, {Kind: frames.LineDeletion, Text: "\tlda #$00"},
		{Kind: frames.LineAddition, Text: "\tlda #<sprites ; " + unbroken}, {Kind: frames.LineAddition, Text: "        ; and\ttabs"}}
	say(lease.Said{Kind: lease.SaidMissed})
	for i := range 200 {
		id := fmt.Sprint(i)
		say(lease.Said{Kind: lease.SaidPrompt, Text: fmt.Sprintf("%d. make the sprite move, and %s", i, unbroken[:i])})
		switch i % 4 {
		case 0:
			say(lease.Said{Kind: lease.SaidReasoning, Text: "The raster interrupt comes first.\n\nThen the sprites: " + unbroken})
		case 1:
			say(lease.Said{Kind: lease.SaidApproval, About: frames.KindFile, Text: "change src/" + unbroken + ".s", Detail: change})
			say(lease.Said{Kind: lease.SaidDecision, Decision: frames.AcceptForSession, Text: "change src/" + unbroken + ".s"})
		case 2:
			say(lease.Said{Kind: lease.SaidApproval, Text: "rm -r " + unbroken})
			say(lease.Said{Kind: lease.SaidWithdrawn, Text: "The question was withdrawn."})
		}
		say(lease.Said{Kind: lease.SaidActivity, ID: id, Text: "ca65 " + unbroken[:i]})
		say(lease.Said{Kind: lease.SaidActivity, ID: id, Lifecycle: frames.Lifecycle(1 + i%2), Text: "ca65 " + unbroken[:i]})
		say(lease.Said{Kind: lease.SaidText, Text: "\n\nIt moves now. 日本語 🐧\n\n    lda #$01\n\tsta " + unbroken + "\n"})
		say(lease.Said{Kind: lease.SaidEnd, End: provider.End(i % 3), Text: []string{"", "", "the model is asked too often; wait a minute"}[i%3]})
	}
	say(lease.Said{Kind: lease.SaidPlace, Text: "workspace 01-" + unbroken[:57]})
	say(lease.Said{Kind: lease.SaidPrompt, Text: "now the sound"})
	say(lease.Said{Kind: lease.SaidActivity, ID: "x", Text: "make"})
	say(lease.Said{Kind: lease.SaidApproval, About: frames.KindFile, Text: "change src/sound.s", Detail: change})
	return all, nil
}
