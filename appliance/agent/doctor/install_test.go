package doctor_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/prompt64/prompt64/appliance/agent"
	"github.com/prompt64/prompt64/appliance/agent/agenttest"
	"github.com/prompt64/prompt64/appliance/agent/fetch"
)

// install installs an archive of Codex in a data folder, with all tests.
func install(t *testing.T, data, version string, archive []byte) agent.Version {
	t.Helper()
	path := filepath.Join(t.TempDir(), "archive")
	if err := os.WriteFile(path, archive, 0o600); err != nil {
		t.Fatal(err)
	}
	digest, err := fetch.ParseDigest(agenttest.Digest(archive))
	if err != nil {
		t.Fatal(err)
	}
	in := agent.Installer{Store: agent.Open(data), Target: agent.Target{OS: "linux", Arch: "amd64"}}
	v, err := in.Install(t.Context(), agent.Request{Agent: agent.Codex, Version: version, From: path, Digest: &digest})
	if err != nil {
		t.Fatal(err)
	}
	return v
}
