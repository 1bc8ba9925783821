package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/agent/agenttest"
)

// program is this program in a process of its own.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = append([]string{"prompt64"}, args...) // what testscript.Main goes by
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	stop := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() { stop.Stop() })
	return cmd
}

// currentVersion is what a bridge would start; it must be whole.
func currentVersion(t *testing.T, data string) string {
	t.Helper()
	store := agent.Open(data)
	p, err := store.Use(agent.Codex)
	if errors.Is(err, agent.ErrNotInstalled) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if damage, err := store.Damage(agent.Codex, p.Path); damage != "" || err != nil {
		t.Fatalf("%s: %s, %v", p.Version, damage, err)
	}
	return p.Version
}

func TestKilledInstallationLeavesOldOrNewAndGoesOn(t *testing.T) {
	o := codexOn(t)
	archive := agenttest.Archive(t, "tar.gz", agenttest.Codex{Version: "2.0.0"}.Entries(t, ""))
	installFake(t, o.data, agenttest.Codex{Version: "1.0.0"})
	server := agenttest.Serve(t, archive)
	args := []string{"agent", "install", "codex", "-version", "2.0.0", "-from", server.URL, "-sha256", agenttest.Digest(archive), "-data", o.data}
	for _, moment := range []string{"checking", "downloading", "unpacking bin/codex", "unpacking codex-path/rg", "testing", "switching"} {
		cmd := program(t, args...)
		log, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(log)
		for lines.Scan() && !strings.HasPrefix(lines.Text(), moment) {
			continue
		}
		_ = cmd.Process.Kill()
		_, _ = io.Copy(io.Discard, log)
		_ = cmd.Wait()
		got := currentVersion(t, o.data)
		if got != "1.0.0" && got != "2.0.0" {
			t.Errorf("killed at %q it leaves %q", moment, got)
		}
		if got == "2.0.0" && moment != "switching" {
			t.Errorf("killed at %q it has switched", moment)
		}
	}
	if out, err := program(t, args...).CombinedOutput(); err != nil || currentVersion(t, o.data) != "2.0.0" {
		t.Errorf("in the end: %v\n%s", err, out)
	}
	for _, name := range []string{"staging", "download"} {
		if left, err := os.ReadDir(filepath.Join(o.data, "agents/codex", name)); err != nil || len(left) > 0 {
			t.Errorf("%s has %v, %v", name, left, err)
		}
	}
}

func TestKilledDownloadGoesOnWhereItWas(t *testing.T) {
	o := codexOn(t)
	archive := agenttest.Archive(t, "tar.gz", agenttest.Codex{Version: "2.0.0"}.Entries(t, ""))
	stop := make(chan struct{})
	server := agenttest.Serve(t, archive, agenttest.Silence(150, stop))
	t.Cleanup(func() { close(stop) })
	args := []string{"agent", "install", "codex", "-version", "2.0.0", "-from", server.URL, "-sha256", agenttest.Digest(archive), "-data", o.data}
	cmd := program(t, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	part := filepath.Join(o.data, "agents/codex/download", agenttest.Digest(archive)+".part")
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if info, err := os.Stat(part); err == nil && info.Size() == 150 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the first bytes do not come")
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if out, err := program(t, args...).CombinedOutput(); err != nil || currentVersion(t, o.data) != "2.0.0" {
		t.Errorf("%v\n%s", err, out)
	}
	if got := server.Requests(); !slices.Equal(got, []string{"", "bytes=150-"}) {
		t.Errorf("asked for %q", got)
	}
}
