package main_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/c64prg/machine/uci"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// An Ultimate of that firmware keeps the sockets of a program that was reset,
// and has 16 for everything. A program that left them open would connect no more.
func TestFiftyResetsInMidTurnLeaveNoSocketBehind(t *testing.T) {
	t.Parallel()
	p, err := uci.ProfileNamed("3.14")
	if err != nil || p.OwnSockets {
		t.Fatalf("this firmware closes sockets by itself: %v", err)
	}
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{Firmware: p.Name})
	dice := rand.New(rand.NewPCG(seed(t), 0))
	c.Connect()
	for n := range 50 {
		prompt := fmt.Sprintf("/slow %d 100", 6+n%5)
		b.Gate.Shut()
		c.Keys(prompt + "\n")
		b.Gate.Pass(2)
		c.WaitPaper("delta 3", patience)
		c.Let(time.Duration(dice.IntN(3000)) * time.Millisecond)
		c.Reset()
		c.Wait("A session from before is still there", patience)
		c.Strike("RETURN")
		c.WaitPaper("> "+prompt+" delta 1 delta 2 delta 3", patience)
		b.Gate.Open()
		c.Settled()
		c.WaitPaper(fmt.Sprintf("delta %d", 6+n%5), patience)
		if strings.Contains(c.Paper.Text(), "socket") {
			t.Fatalf("reset %d:\n%s", n, c.Paper.Text())
		}
	}
	if got := len(b.Prompts()); got != 50 {
		t.Errorf("the agent got %d prompts", got)
	}
}

// deep is the lowest that the program's stack may go, and used the end of what
// the linker may give it of the zero page.
const (
	deep = 0xd0
	used = 0xf0
)

// manyTurns is how many turns are played in one run of the program.
func manyTurns() int {
	if long {
		return 500
	}
	return 40
}

func TestManyTurnsOnALineThatIsCutAtRandomGiveTheBridgesOwnRecord(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	m := stage.Machine{Seed: seed(t)}
	c := stage.Boot(t, b.Addr, m)
	c.M.Guard(used, 0x100)
	dice := rand.New(rand.NewPCG(m.Seed, 1))
	c.Connect()
	var prompts []string
	for n := range manyTurns() {
		p := []string{
			fmt.Sprintf("/slow %d 100", 2+dice.IntN(12)),
			fmt.Sprintf("/say turn %d", n),
			fmt.Sprintf("/stream %d", 100+dice.IntN(1500)),
			"/think",
			fmt.Sprintf("/run echo turn %d", n),
		}[dice.IntN(5)]
		prompts = append(prompts, p)
		c.Keys(p)
		if dice.IntN(2) == 0 {
			dir := uci.Direction(dice.IntN(2))
			most := 400
			if dir == uci.Out {
				most = 60
			}
			c.CutAfter(dice.IntN(most), dir, kinds[dice.IntN(len(kinds))].kind)
		}
		c.Keys("\n")
		c.Until("the agent has it", patience, func() bool { return len(b.Prompts()) == n+1 })
		if strings.HasPrefix(p, "/run") {
			c.Accept()
		}
		c.Until("the turn's end", patience, func() bool {
			return strings.Contains(c.Title(), "ON LINE") && strings.Contains(c.Status(), "READY")
		})
	}
	if diff := cmp.Diff(prompts, b.Prompts()); diff != "" {
		t.Errorf("the agent's prompts (-want +got):\n%s", diff)
	}
	sameText(t, c.Paper.Said(), stage.Story(stage.Open(t, stage.BridgeOptions{}).Tell(prompts...)))
	sameScreen(t, c)
	if low := c.M.StackLow(); low < deep {
		t.Errorf("the stack went down to $01%02X", low)
	}
	t.Logf("%d turns, %d lines, stack down to $01%02X", len(prompts), c.Dials.Load(), c.M.StackLow())
}

// idle is emulated; with PROMPT64_LONG=1 it is so long that the program's clock
// wraps twice.
func idle() time.Duration {
	if long {
		return time.Hour
	}
	return 90 * time.Second
}

func TestPromptWorksAfterALongRest(t *testing.T) {
	t.Parallel()
	b := stage.Open(t, stage.BridgeOptions{})
	c := stage.Boot(t, b.Addr, stage.Machine{})
	c.Connect()
	c.Ask("/say before")
	c.Let(idle())
	c.Ask("/say after")
	sameText(t, c.Paper.Said(), "> /say before before > /say after after")
	if n := c.Dials.Load(); n != 1 {
		t.Errorf("the line was opened %d times", n)
	}
}
