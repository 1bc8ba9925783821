package acp

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/frames"
)

// address finds where a traced connect went, but for sockets in the file system.
var address = regexp.MustCompile(`sin6?_port=htons\(\d+\).*?"([0-9a-fA-F.:]+)"`)

func TestRealAgentsStayOnLoopback(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("THERE IS NO STRACE, so it is not checked where the real agents connect to: install strace")
	}
	for name, make := range map[string]func(t *testing.T) *rig{
		"opencode":  realOpencode,
		"codex-acp": func(t *testing.T) *rig { r, _ := realCodexACP(t); return r },
	} {
		t.Run(name, func(t *testing.T) {
			r := make(t)
			trace := filepath.Join(t.TempDir(), "trace")
			r.cfg.Argv = append([]string{strace, "-f", "-qq", "-e", "trace=connect", "-o", trace}, r.cfg.Argv...)
			r.again()
			p := r.open("")
			p.patience = realPatience
			want(t, endOf(p.play("hello", frames.AccessAsk)), "end done")
			_ = p.s.Close()
			data, err := os.ReadFile(trace)
			if err != nil {
				t.Fatal(err)
			}
			found := address.FindAllStringSubmatch(string(data), -1)
			if len(found) == 0 {
				t.Fatal("not even the fake was connected to")
			}
			for _, m := range found {
				if !strings.HasPrefix(m[1], "127.") && m[1] != "::1" {
					t.Errorf("it connected to %s", m[1])
				}
			}
		})
	}
}
