package main_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/c64prg/machine/drive"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// A key goes down twelve times a second, and fifty milliseconds before the one
// before it is let go.
const (
	overlap = 50 * time.Millisecond
	alone   = time.Second/12 - overlap
)

// keysOf is text without SHIFT in which no key follows itself.
func keysOf(n int, dice *rand.Rand) string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789 .,+-*/=;:@"
	out := []byte("x")
	for len(out) < n {
		if k := letters[dice.IntN(len(letters))]; k != out[len(out)-1] && (k != ' ' || len(out) < n-1) {
			out = append(out, k)
		}
	}
	return string(out)
}

func TestThousandKeysOfAFastTypistWhileTextStreamsAreAllThere(t *testing.T) {
	t.Parallel()
	for _, m := range []stage.Machine{
		{Standard: machine.PAL, Firmware: "3.14"},
		{Standard: machine.NTSC, Firmware: "3.10"},
	} {
		t.Run(m.Standard.Name, func(t *testing.T) {
			t.Parallel()
			dice := rand.New(rand.NewPCG(seed(t), 0))
			b := stage.Open(t, stage.BridgeOptions{})
			c := stage.Boot(t, b.Addr, m)
			c.Connect()
			var want []string
			for range 2 { // the editor holds 760
				text := keysOf(500, dice)
				want = append(want, "/slow 1100 100", text)
				typeInTurn(t, b, c, text)
				c.Keys("\n")
				c.Until("the prompt arrives", patience, func() bool { return slices.Contains(b.Prompts(), text) })
				c.Settled()
			}
			if diff := cmp.Diff(want, b.Prompts()); diff != "" {
				t.Errorf("the agent's prompts (-want +got):\n%s", diff)
			}
		})
	}
}

// typeInTurn types while a turn says two words for each key.
func typeInTurn(t *testing.T, b *stage.Bridge, c *stage.C64, text string) {
	t.Helper()
	b.Gate.Shut()
	c.Keys("/slow 1100 100\n")
	c.Wait("delta 1", patience)
	var held machine.Key
	for i, r := range text {
		key, ok := drive.RuneKeys(r)
		if !ok || len(key) != 1 {
			t.Fatalf("%q needs SHIFT", r)
		}
		b.Gate.Pass(2)
		c.M.KeyDown(key[0])
		c.Let(overlap)
		if i > 0 {
			c.M.KeyUp(held)
		}
		c.Let(alone)
		held = key[0]
	}
	c.M.KeyUp(held)
	b.Gate.Open()
	c.WaitPaper("delta 1100", patience)
	c.Settled()
}
