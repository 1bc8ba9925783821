package main

import (
	"strings"
	"testing"

	"github.com/prompt64/prompt64/c64prg/machine/uci"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// On a C64 Ultimate the first interface may be a cable that is not plugged in,
// while Wi-Fi works as the second: the program must dial all the same.
func TestWiFiOnTheSecondInterfaceIsEnough(t *testing.T) {
	bridge := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, bridge.Addr, stage.Machine{
		UCI: uci.Config{Interfaces: []uci.Interface{{}, uci.DefaultInterface}},
	})
	c.Connect()
	c.Ask("/say over the air")
	if said := c.Paper.Said(); strings.Count(said, "over the air") != 2 { // the prompt and its answer
		t.Errorf("the prompt or its answer is not there: %q", said)
	}
	if got := bridge.Calls.Prompts(); len(got) != 1 {
		t.Errorf("prompts at the agent: %q", got)
	}
}
