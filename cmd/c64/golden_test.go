package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/uci"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
	"github.com/prompt64/prompt64/frames"
)

// The address on golden screens.
const (
	goldenHost = "192.168.1.64"
	goldenPort = 6464
)

// onBothStandards plays the same on a PAL and an NTSC machine: their screens
// must be alike.
func onBothStandards(t *testing.T, test func(t *testing.T, m stage.Machine)) {
	for _, std := range []machine.Standard{machine.PAL, machine.NTSC} {
		t.Run(std.Name, func(t *testing.T) {
			t.Parallel()
			test(t, stage.Machine{Standard: std, Host: goldenHost, Port: goldenPort, Detour: true})
		})
	}
}

func TestConnectScreenLooksAsItShould(t *testing.T) {
	t.Parallel()
	onBothStandards(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		m.Code = code
		c := stage.Boot(t, b.Addr, m)
		c.Portray("connect")
		c.Strike("e", "DOWN", "DEL", "DEL")
		c.Keys("70")
		c.Portray("connect_edit")
		c.Strike("DEL", "DEL")
		c.Keys("64")
		c.Strike("STOP")
		c.M.UCI().NoAnswer(true)
		c.Strike("RETURN")
		c.Wait("connecting ... 3", time.Minute)
		c.Portray("connect_dialling")
		c.M.UCI().NoAnswer(false)
		c.Settled()
		c.Ask("/say before")
		c.Reset()
		c.Portray("connect_offer")
	})
}

func TestChatLooksAsItShould(t *testing.T) {
	t.Parallel()
	onBothStandards(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.Portray("chat_new")
		c.Ask("/think")
		c.Ask("/say one line\\u000a    10 PRINT \"CODE {}|~`\"\\u000aand more")
		c.Ask("/fail no more paper")
		c.Portray("chat_idle")
		b.Gate.Shut()
		c.Keys("/slow 30 100\nnext: ")
		c.Strike("SHIFT+RETURN")
		c.Keys("two lines")
		b.Gate.Pass(11)
		c.WaitPaper("delta 12", patience)
		c.Portray("chat_streaming")
		c.Strike("F7")
		c.Portray("chat_scrolled")
		c.Strike("F8", "STOP")
		c.Wait("cancelled", patience)
		c.Settled()
		c.Portray("chat_cancelled")
		c.Strike("CLR")
		c.Keys("/stuck\n")
		c.WaitPaper("a cancel will not help", patience)
		c.Strike("STOP")
		c.Wait("CANCELLING", patience)
		c.Portray("chat_cancelling")
		c.M.UCI().Refuse(true)
		c.Cut(uci.Reset)
		c.Until("a countdown", patience, func() bool { return strings.Contains(c.Title(), "WAIT 4") })
		c.Portray("chat_wait")
	})
}

func TestLineThatIsDownLooksAsItShould(t *testing.T) {
	t.Parallel()
	onBothStandards(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{Lifetime: shortLife})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.M.UCI().Refuse(true)
		c.Cut(uci.Close)
		c.Until("a countdown", patience, func() bool { return strings.Contains(c.Title(), "WAIT 2") })
		c.Keys("later\n")
		c.Until("a countdown", patience, func() bool { return strings.Contains(c.Title(), "WAIT 3") })
		c.Portray("chat_unsent")
		b.Forgets()
		c.M.UCI().Refuse(false)
		c.WaitPaper("The session ended while the line was down.", patience)
		c.Portray("chat_expired")
	})
}

func TestApprovalLooksAsItShould(t *testing.T) {
	t.Parallel()
	onBothStandards(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		repository(t, b.Work)
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.Keys("/write sequence.go " + newSequence + "\n")
		c.Asked()
		c.Portray("approval_file")
		c.Strike("s")
		c.Portray("approval_sure")
		c.Strike("x", "d")
		c.Settled()
		c.Keys("/write list.txt short\n")
		c.Asked()
		c.Portray("approval_long")
		c.Strike("DOWN", "DOWN")
		c.Portray("approval_scrolled")
		c.Strike("F7", "STOP")
		c.Settled()
		c.Portray("chat_declined")
	})
}

func TestViewsLookAsTheyShould(t *testing.T) {
	t.Parallel()
	onBothStandards(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		repository(t, b.Work)
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		c.Keys("/write list.txt short\n")
		c.Accept()
		c.Settled()
		for _, tab := range []string{"status", "activity", "changes", "actions"} {
			c.Strike("F1")
			c.Let(time.Second)
			c.Portray("dashboard_" + tab)
		}
		c.Strike("LEFT")
		c.Wait("sequence.go", patience)
		c.Strike("DOWN", "RETURN")
		c.Wait("@@", patience)
		c.Portray("diff")
		c.Strike("STOP", "F3")
		c.Wait("SETTINGS", patience)
		c.Portray("settings")
		c.Strike("DOWN", "RIGHT")
		c.Portray("settings_access")
		c.Strike("STOP", "F5")
		c.Wait("NEW SESSION", patience)
		c.Let(time.Second)
		c.Portray("sessions")
		c.Strike("w")
		c.Wait("USE THIS FOLDER", patience)
		c.Let(time.Second)
		c.Portray("workspaces")
		c.Strike("STOP", "STOP")
		c.Wait("Leave this session?", patience)
		c.Portray("leave")
	})
}

// newSequence replaces the file of the repository in an approval.
const newSequence = "package frames // seq - applied: 65535 and 0 are neighbours"

// repository makes a workspace with a history and changes.
func repository(t *testing.T, dir string) {
	t.Helper()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "trunk")
	write("README.md", "# A repository\n")
	write("old/compare.go", "package old\n\nfunc Compare() {}\n")
	write("lib/keys.s", "; keys\n")
	write("list.txt", strings.Repeat("one of many lines that go\n", 30))
	write("sequence.go", "package frames\n\nfunc Newer(seq, applied uint16) bool {\n\treturn seq > applied\n}\n")
	git("add", ".")
	git("commit", "-q", "-m", "begin")
	write("README.md", "# A repository\n\nWith a line that is longer than the forty columns of a C64.\n")
	write("sequence.go", "package frames\n\nfunc Newer(seq, applied uint16) bool {\n\td := seq - applied\n\treturn d >= 1 && d <= 32767\n}\n")
	write("notes.txt", "new\n")
	git("rm", "-q", "old/compare.go")
}

func TestErrorScreensLookAsTheyShould(t *testing.T) {
	t.Parallel()
	for _, tr := range troubles {
		name := "error_" + strings.ReplaceAll(tr.name, " ", "_")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBothStandards(t, func(t *testing.T, m stage.Machine) {
				b := stage.Open(t, tr.bridge)
				std := m.Standard
				if m = tr.c64; m.Host == "" {
					m.Host = goldenHost
				}
				m.Standard, m.Port, m.Detour = std, goldenPort, true
				c := stage.Boot(t, b.Addr, m)
				if tr.before != nil {
					tr.before(b, c)
				}
				errorScreen(c, name, tr.words, tr.again)
			})
		})
	}
}

func TestScreensForStrangersLookAsTheyShould(t *testing.T) {
	t.Parallel()
	for name, s := range strangers {
		name := "error_" + strings.ReplaceAll(name, " ", "_")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBothStandards(t, func(t *testing.T, m stage.Machine) {
				c := stage.Boot(t, stage.Impostor(t, s.act), m)
				errorScreen(c, name, s.words, s.again)
			})
		})
	}
}

// errorScreen connects, and compares the screen with the words, at a second of
// the countdown where there is one.
func errorScreen(c *stage.C64, name, words string, again bool) {
	c.Strike("RETURN")
	c.Wait(words, time.Minute)
	if again {
		c.Wait("next try in 4", time.Minute)
	}
	c.Portray(name)
}

// strangers answer at the address instead of a bridge.
var strangers = map[string]struct {
	act   func(w *stage.Wire)
	words string
	again bool
}{
	"another version": {func(w *stage.Wire) {
		w.Expect(frames.TypeHello)
		w.Send(frames.Error{Text: []byte("PROMPT64/2 REQUIRED")})
	}, "The bridge speaks another version of Prompt64.", false},
	"no bridge": {func(w *stage.Wire) {
		_, _ = w.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
		w.Drain()
	}, "What answers there is no Prompt64 bridge. Look at the port.", false},
	"silent":  {func(w *stage.Wire) { w.Drain() }, "Connected, but the bridge is silent.", true},
	"hung up": {func(*stage.Wire) {}, "The bridge closed the connection.", true},
	"in use": {func(w *stage.Wire) {
		w.Expect(frames.TypeHello)
		w.Send(frames.HelloOk{Major: 2, Capabilities: frames.CapHeartbeat})
		w.Expect(frames.TypeLeaseGet)
		w.Send(frames.Error{Text: []byte("LEASE IN USE")})
		w.Drain()
	}, "Lease in use", true},
}
