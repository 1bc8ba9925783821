package doctor_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/agent/agenttest"
	"github.com/prompt64/prompt64/appliance/agent/doctor"
	"github.com/prompt64/prompt64/appliance/provider/codex"
)

func TestMain(m *testing.M) {
	agenttest.Main()
	os.Exit(m.Run())
}

// healthy is a machine that has everything.
var healthy = doctor.Machine{
	Target: agent.Target{OS: "linux", Arch: "arm64"},
	Look:   func(program string) (string, error) { return "/bin/" + program, nil },
	Exists: func(string) bool { return true },
}

func lookFor(names ...string) func(string) (string, error) {
	return func(program string) (string, error) {
		for _, n := range names {
			if n == program {
				return "/bin/" + n, nil
			}
		}
		return "", errors.New("not found")
	}
}

// setup is a Codex that works, with someone signed in.
func setup(t *testing.T, c agenttest.Codex) doctor.Setup {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "codex")
	if err := os.WriteFile(path, []byte(c.Program(t)), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "tmp")) // so that the home is not within
	for _, name := range []string{"SSL_CERT_FILE", "CODEX_CA_CERTIFICATE"} {
		t.Setenv(name, "")
	}
	home := filepath.Join(dir, "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	return doctor.Setup{
		Data: filepath.Join(dir, "data"), Program: path, Home: home, Machine: healthy,
		Account: func(context.Context) (codex.Account, []string, error) {
			return codex.Account{Known: true, Type: "apiKey"}, nil, nil
		},
	}
}

// find returns the finding of a check.
func find(t *testing.T, findings []doctor.Finding, check string) doctor.Finding {
	t.Helper()
	for _, f := range findings {
		if f.Check == check {
			return f
		}
	}
	t.Fatalf("no finding about %s in %v", check, findings)
	return doctor.Finding{}
}

func TestNothingIsMissingWhereAllIsThere(t *testing.T) {
	s := setup(t, agenttest.Codex{Version: "1.2.3"})
	findings := doctor.Codex(t.Context(), s)
	if !doctor.Healthy(findings) || len(findings) != 7 {
		t.Errorf("%v", findings)
	}
	for _, f := range findings {
		if f.State == doctor.OK && f.Do != "" || f.Says == "" {
			t.Errorf("%+v", f)
		}
	}
	if f := find(t, findings, "program"); !strings.Contains(f.Says, "1.2.3") {
		t.Errorf("%+v", f)
	}
	if left, err := filepath.Glob(filepath.Join(s.Data, "agents/codex/staging/*")); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestWhatIsMissingIsSaidWithWhatToDo(t *testing.T) {
	for name, c := range map[string]struct {
		program    agenttest.Codex
		spoil      func(*testing.T, *doctor.Setup)
		check      string
		state      doctor.State
		says, hint string
	}{
		"not installed": {spoil: func(_ *testing.T, s *doctor.Setup) { s.Program = "" },
			check: "program", state: doctor.Missing, says: "not installed", hint: "agent install codex"},
		"found nowhere": {spoil: func(_ *testing.T, s *doctor.Setup) { s.Program, s.Missing = "", "there is no program x" },
			check: "program", state: doctor.Missing, says: "no program x", hint: "agent install codex"},
		"32 bits": {spoil: func(_ *testing.T, s *doctor.Setup) { s.Program, s.Machine.Target.Arch = "", "arm" },
			check: "program", state: doctor.Missing, says: "not installed", hint: "64-bit system"},
		"does not start": {program: agenttest.Codex{Server: "die"},
			check: "program", state: doctor.Missing, says: "shared libraries", hint: "install it again"},
		"no sandbox": {program: agenttest.Codex{Version: "1", Sandbox: "fail"},
			check: "sandbox", state: doctor.Missing, says: "namespace failed", hint: "until then"},
		"no bash": {spoil: func(_ *testing.T, s *doctor.Setup) { s.Machine.Look = lookFor("sh") },
			check: "shell", state: doctor.Warning, says: "no bash", hint: "install bash"},
		"no shell": {spoil: func(_ *testing.T, s *doctor.Setup) { s.Machine.Look = lookFor() },
			check: "shell", state: doctor.Missing, says: "no shell", hint: "coreutils"},
		"no certificates": {spoil: func(_ *testing.T, s *doctor.Setup) { s.Machine.Exists = func(string) bool { return false } },
			check: "certificates", state: doctor.Warning, says: "no certificates", hint: "ca-certificates"},
		"certificates misnamed": {spoil: func(t *testing.T, s *doctor.Setup) {
			t.Setenv("SSL_CERT_FILE", "/nowhere.pem")
			s.Machine.Exists = func(string) bool { return false }
		}, check: "certificates", state: doctor.Warning, says: "/nowhere.pem", hint: "SSL_CERT_FILE"},
		"home is a file": {spoil: func(_ *testing.T, s *doctor.Setup) { s.Home = s.Program },
			check: "home", state: doctor.Missing, says: "no folder", hint: "-codex-home"},
		"home is temporary": {spoil: func(t *testing.T, s *doctor.Setup) { t.Setenv("TMPDIR", filepath.Dir(s.Home)) },
			check: "home", state: doctor.Warning, says: "temporary", hint: "-data DIR"},
		"key for all to see": {spoil: func(t *testing.T, s *doctor.Setup) {
			if err := os.WriteFile(filepath.Join(s.Home, "auth.json"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}, check: "home", state: doctor.Warning, says: "others can read", hint: "chmod 600"},
		"nobody signed in": {spoil: func(_ *testing.T, s *doctor.Setup) {
			s.Account = func(context.Context) (codex.Account, []string, error) {
				return codex.Account{Known: true, Needed: true}, nil, nil
			}
		}, check: "sign-in", state: doctor.Missing, says: "nobody", hint: "agent login codex"},
		"deaf": {spoil: func(_ *testing.T, s *doctor.Setup) {
			s.Account = func(context.Context) (codex.Account, []string, error) {
				return codex.Account{}, nil, errors.New("no answer")
			}
		}, check: "sign-in", state: doctor.Missing, says: "no answer", hint: "-verbose"},
		"rules that allow": {spoil: func(_ *testing.T, s *doctor.Setup) {
			s.Account = func(context.Context) (codex.Account, []string, error) {
				return codex.Account{Known: true}, []string{"Rules in x let commands run unasked"}, nil
			}
		}, check: "rules", state: doctor.Warning, says: "unasked", hint: "remove the rules"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.program == (agenttest.Codex{}) {
				c.program.Version = "1.0.0"
			}
			s := setup(t, c.program)
			if c.spoil != nil {
				c.spoil(t, &s)
			}
			findings := doctor.Codex(t.Context(), s)
			f := find(t, findings, c.check)
			if f.State != c.state || !strings.Contains(f.Says, c.says) || !strings.Contains(f.Do, c.hint) {
				t.Errorf("%+v", f)
			}
			if got := doctor.Healthy(findings); got != (c.state == doctor.Warning) {
				t.Errorf("healthy: %v with %v", got, findings)
			}
		})
	}
}

func TestDamagedInstallationIsSaidByFile(t *testing.T) {
	s := setup(t, agenttest.Codex{Version: "1.0.0"})
	data := agenttest.Archive(t, "zip", agenttest.Codex{Version: "1.0.0"}.Entries(t, ""))
	v := install(t, s.Data, "1.0.0", data)
	s.Program = filepath.Join(v.Dir, "bin/codex")
	if f := find(t, doctor.Codex(t.Context(), s), "program"); f.State != doctor.OK {
		t.Errorf("%+v", f)
	}
	if err := os.Remove(filepath.Join(v.Dir, "bin/codex-code-mode-host")); err != nil {
		t.Fatal(err)
	}
	f := find(t, doctor.Codex(t.Context(), s), "program")
	if f.State != doctor.Missing || !strings.Contains(f.Says, "codex-code-mode-host is missing") {
		t.Errorf("%+v", f)
	}
}

func TestCodexElsewhereIsNotLookedForHere(t *testing.T) {
	s := setup(t, agenttest.Codex{})
	s.Program, s.Home, s.Remote = "", "", "ssh -T pi codex app-server"
	s.Machine.Look = lookFor()
	findings := doctor.Codex(t.Context(), s)
	if !doctor.Healthy(findings) || len(findings) != 2 {
		t.Errorf("%v", findings)
	}
}

func TestAgentOfTheClientProtocolIsLookedFor(t *testing.T) {
	a := doctor.ACP{Name: "opencode", Argv: []string{"opencode", "acp"}, Install: "npm install -g opencode-ai", Machine: healthy}
	if findings := a.Examine(); !doctor.Healthy(findings) {
		t.Errorf("%v", findings)
	}
	a.Machine.Look = lookFor("bash")
	if f := find(t, a.Examine(), "program"); f.State != doctor.Missing || !strings.Contains(f.Do, "npm install") {
		t.Errorf("%+v", f)
	}
	a.Install = ""
	if f := find(t, a.Examine(), "program"); !strings.Contains(f.Do, "-acp-command") {
		t.Errorf("%+v", f)
	}
}
