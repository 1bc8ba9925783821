package main

import (
	"testing"

	"github.com/prompt64/prompt64/appliance/agent"
)

// A device whose /perm was erased gets an agent again from its pages; one that has a
// newer one than it could fetch keeps that.
func TestPagesInstallAnAgentWhereNoneIsAndNeverAnOlderOne(t *testing.T) {
	for _, arch := range []string{"amd64", "arm64"} {
		offered, err := agent.Offered(agent.Codex, agent.Target{OS: "linux", Arch: arch})
		if err != nil || !isNewer(offered, "") || isNewer(offered, offered) || !isNewer(offered, "0.1.0") || isNewer(offered, "999.0.0") {
			t.Errorf("%s: offered is %q, %v", arch, offered, err)
		}
	}
	if offered, err := agent.Offered(agent.Codex, agent.Target{OS: "plan9", Arch: "386"}); err == nil || isNewer(offered, "") {
		t.Errorf("for another machine %q is offered", offered)
	}
	if isNewer("0.160.0", "0.171.0") || !isNewer("0.160.0", "0.99.0") {
		t.Error("versions are compared as words")
	}
}
