package main_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/c64prg/machine/uci"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// What the two bars may say in this test. A bar that the beam met half drawn has
// the beginning of one and the end of another: "READYNG".
var (
	wholeTitle = regexp.MustCompile(`^ PROMPT64 (demo +/?|         +) (OFF LINE|DIALLING|ON LINE|WAIT [0-5]) *$`)
	wholeState = regexp.MustCompile(`^ (READY|SENDING( YOUR ANSWER)?|THINKING( \d+S)?|WORKING|WORKING: sh -c "sleep 0\.1; ech\.\.\.|` +
		`CANCELLING|WAITING FOR YOU|SOUND O(N|FF)|STILL WORKING - STOP CANCELS|STALLED \d+S|` +
		`THE (LINE IS CUT|BRIDGE HUNG UP|BRIDGE REFUSES)|LEASE IN USE)( +\d+ MORE .| +LINE \d+/\d+| +CONTEXT \d+%)? *$`)
)

// barText is a row of reversed text as a person reads it.
func barText(codes [40]byte) string {
	var b strings.Builder
	for _, c := range codes {
		switch c &= 0x7f; {
		case c >= 1 && c <= 26:
			b.WriteByte(c + 0x60)
		case c >= 0x20 && c < 0x60 && c != 0x40:
			b.WriteByte(c)
		default:
			b.WriteByte('~')
		}
	}
	return b.String()
}

// TestBarsAreNeverSeenHalfDrawn looks at each frame as the VIC-II fetched it, not
// at memory between two frames.
func TestBarsAreNeverSeenHalfDrawn(t *testing.T) {
	t.Parallel()
	onBothStandards(t, func(t *testing.T, m stage.Machine) {
		b := stage.Open(t, stage.BridgeOptions{})
		c := stage.Boot(t, b.Addr, m)
		c.Connect()
		titles, states := map[string]int{}, map[string]int{}
		frames := 0
		c.M.EachFrame(func() {
			frames++
			titles[barText(c.M.Fetched(0))]++
			states[barText(c.M.Fetched(21))]++
		})
		rounds := 3
		if long {
			rounds = 60
		}
		for range rounds {
			c.Keys("/run sh -c 'sleep 0.1; echo one two three four five'\n")
			c.Strike("F2", "RETURN", "F2")
			c.Accept()
			c.Settled()
			c.Ask("/think")
			c.Ask("/stream 1500")
			c.Strike("F7", "F8")
			c.Keys("/hang\n")
			c.WaitPaper("cancel", patience)
			c.Let(4 * time.Second)
			c.Strike("STOP")
			c.Settled()
			c.Cut(uci.Reset)
			c.Until("another line", patience, func() bool { return !strings.Contains(c.Title(), "ON LINE") })
			c.Settled()
		}
		for what, seen := range map[*regexp.Regexp]map[string]int{wholeTitle: titles, wholeState: states} {
			if len(seen) < 2 {
				t.Errorf("too little was seen for this test: %v", seen)
			}
			for bar, n := range seen {
				if !what.MatchString(bar) {
					t.Errorf("in %d of %d frames a bar showed %q", n, frames, bar)
				}
			}
		}
	})
}
