package main_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/uci"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// long says that every combination is to be played, where pairs of them are by
// default.
var long = os.Getenv("PROMPT64_LONG") != ""

// kind is a C64 and what it is called.
type kind struct {
	name string
	stage.Machine
}

// machines are all kinds of C64 that differ for the program.
func machines() []kind {
	var out []kind
	for _, p := range uci.Profiles() {
		out = append(out,
			kind{"PAL " + p.Name, stage.Machine{Standard: machine.PAL, Firmware: p.Name}},
			kind{"NTSC " + p.Name, stage.Machine{Standard: machine.NTSC, Firmware: p.Name}})
	}
	return out
}

// onSomeMachines runs a test that is about time, or takes long, on four that
// differ most: no firmware waits longer for data than 3.11, none less than 3.10,
// and 3.14 changed the order of the bits. With PROMPT64_LONG=1 on all.
func onSomeMachines(t *testing.T, test func(t *testing.T, m stage.Machine)) {
	if long {
		onEveryMachine(t, test)
		return
	}
	for _, m := range machines() {
		switch m.name {
		case "PAL 3.11", "NTSC 3.10", "PAL 3.14", "NTSC newer":
			t.Run(m.name, func(t *testing.T) {
				t.Parallel()
				test(t, m.Machine)
			})
		}
	}
}

// onEveryMachine runs a test on all of them, some at a time.
func onEveryMachine(t *testing.T, test func(t *testing.T, m stage.Machine)) {
	for _, m := range machines() {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			test(t, m.Machine)
		})
	}
}

// seed is a number for what a test leaves to chance. It is printed, and
// PROMPT64_SEED=N plays it again.
func seed(t *testing.T) uint64 {
	t.Helper()
	n := rand.Uint64()
	if s := os.Getenv("PROMPT64_SEED"); s != "" {
		var err error
		if n, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatalf("PROMPT64_SEED=%s is no number", s)
		}
	}
	t.Logf("PROMPT64_SEED=%d", n)
	return n
}

// sameText compares what the C64 shows with what it was to show: the same
// words, and so not one character lost or doubled.
func sameText(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Fields(got), strings.Fields(want)
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			from := max(0, i-8)
			t.Fatalf("the text differs at word %d of %d, got %d:\n got ... %s\nwant ... %s", i, len(w), len(g),
				strings.Join(g[min(from, len(g)):min(i+8, len(g))], " "), strings.Join(w[min(from, len(w)):min(i+8, len(w))], " "))
		}
	}
}
