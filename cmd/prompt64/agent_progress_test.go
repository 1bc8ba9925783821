package main

import (
	"bytes"
	"testing"

	"github.com/prompt64/prompt64/appliance/agent"
)

// shown plays an installation and returns what is seen of it.
func shown(terminal bool, total int64) string {
	var out bytes.Buffer
	p := newProgress(&out)
	p.terminal = terminal
	p.show(agent.Progress{Stage: agent.Downloading})
	for _, done := range []int64{1_000_000, 1_500_000, 1_500_001, 10_000_000, 50_000_000} {
		p.show(agent.Progress{Stage: agent.Downloading, Done: done, Total: total})
	}
	p.show(agent.Progress{Stage: agent.Unpacking, Detail: "bin/codex", Total: 5})
	p.show(agent.Progress{Stage: agent.Testing})
	p.end()
	return out.String()
}

func TestProgressIsALineForEachTenthInALog(t *testing.T) {
	want := "downloading\n  20 % of 50 MB\n  100 % of 50 MB\nunpacking bin/codex\ntesting\n"
	if got := shown(false, 50_000_000); got != want {
		t.Errorf("got %q", got)
	}
	want = "downloading\n  50 MB\nunpacking bin/codex\ntesting\n"
	if got := shown(false, -1); got != want {
		t.Errorf("without a size: %q", got)
	}
}

func TestProgressIsOneLineThatChangesOnATerminal(t *testing.T) {
	want := "downloading" +
		"\rdownloading 2 % of 50 MB \rdownloading 3 % of 50 MB \rdownloading 20 % of 50 MB \rdownloading 100 % of 50 MB \n" +
		"unpacking bin/codex\ntesting\n"
	if got := shown(true, 50_000_000); got != want {
		t.Errorf("got %q", got)
	}
}
