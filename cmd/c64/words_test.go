package main_test

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/c64prg/machine/uci"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
	"github.com/prompt64/prompt64/frames"
)

// code is a pairing code.
const code = "ABCD2345"

// trouble is something between a C64 and its bridge that ends in words.
type trouble struct {
	name   string
	bridge stage.BridgeOptions
	c64    stage.Machine
	before func(b *stage.Bridge, c *stage.C64) // RETURN comes next
	words  string
	again  bool               // the program tries again by itself
	mend   func(c *stage.C64) // what a person does then
}

var troubles = []trouble{
	{
		name:   "the command interface is off",
		before: func(_ *stage.Bridge, c *stage.C64) { c.M.UCI().Off(true) },
		words:  "The Ultimate's command interface is off. Switch it on in its menu (F2): C64 and Cartridge Settings > Command Interface: Enabled",
		mend:   func(c *stage.C64) { c.M.UCI().Off(false); c.Strike("RETURN") },
	},
	{
		name:  "there is no Ultimate",
		c64:   stage.Machine{NoUCI: true},
		words: "The Ultimate's command interface is off. Switch it on in its menu (F2): C64 and Cartridge Settings > Command Interface: Enabled",
	},
	{
		name:   "the command interface is stuck",
		before: func(_ *stage.Bridge, c *stage.C64) { c.M.UCI().Wedge(true) },
		words:  "The Ultimate's command interface does not answer any more. Switch the machine off and on.",
		mend:   func(c *stage.C64) { c.M.UCI().Wedge(false); c.Reset(); c.Strike("RETURN") },
	},
	{
		name:   "nothing listens",
		before: func(_ *stage.Bridge, c *stage.C64) { c.M.UCI().Refuse(true) },
		words:  "Refused: nothing listens at that port. Is the bridge running, and is the port right?",
		again:  true,
		mend:   func(c *stage.C64) { c.M.UCI().Refuse(false) },
	},
	{
		name:   "there is no route",
		before: func(_ *stage.Bridge, c *stage.C64) { c.M.UCI().FailConnect(118) },
		words:  "There is no way to that address. Look at the cable, at Wi-Fi and at the address.",
		again:  true,
		mend:   func(c *stage.C64) { c.M.UCI().FailConnect(0) },
	},
	{
		name:   "nobody can say why",
		before: func(_ *stage.Bridge, c *stage.C64) { c.M.UCI().FailConnect(5) },
		words:  "The Ultimate could not connect, and does not say why.",
		again:  true,
		mend:   func(c *stage.C64) { c.M.UCI().FailConnect(0) },
	},
	{
		name:   "the line is cut",
		before: func(_ *stage.Bridge, c *stage.C64) { c.CutAfter(3, uci.In, uci.Reset) },
		words:  "The connection broke.",
		again:  true,
		mend:   func(*stage.C64) {},
	},
	{
		name:  "there is no address",
		c64:   stage.Machine{Bare: true},
		words: "There is no address yet. Type where the bridge is, and RETURN.",
	},
	{
		name:   "nobody answers",
		before: func(_ *stage.Bridge, c *stage.C64) { c.M.UCI().NoAnswer(true) },
		words:  "No answer from that address. Is the bridge switched on and in this network?",
		again:  true,
		mend:   func(c *stage.C64) { c.M.UCI().NoAnswer(false) },
	},
	{
		name:   "the name is unknown",
		c64:    stage.Machine{Host: "bridge.example"},
		before: func(_ *stage.Bridge, c *stage.C64) { c.M.UCI().NoDNS(true) },
		words:  "That name is not known in this network. Press E and type the bridge's number address instead.",
		again:  true,
		mend: func(c *stage.C64) {
			c.Strike("e", "CLR")
			c.Keys("127.0.0.1")
			c.Strike("STOP", "RETURN")
		},
	},
	{
		name:   "no code",
		bridge: stage.BridgeOptions{Code: code},
		words:  "Not paired: the bridge does not know this C64. Press E and type the code that the bridge's page shows.",
		mend:   typeCode,
	},
	{
		name:   "a wrong code",
		bridge: stage.BridgeOptions{Code: code},
		c64:    stage.Machine{Code: "ABCD2346"},
		words:  "Not paired: the bridge does not know this C64. Press E and type the code that the bridge's page shows.",
		mend:   typeCode,
	},
	{
		name:   "too many wrong codes",
		bridge: stage.BridgeOptions{Code: code},
		c64:    stage.Machine{Code: code},
		before: func(b *stage.Bridge, _ *stage.C64) { guess(b, 6) },
		words:  "Too many wrong codes. Try again in a minute.",
	},
	{
		name:   "no network",
		c64:    stage.Machine{UCI: uci.Config{Interfaces: []uci.Interface{{}}}},
		before: func(_ *stage.Bridge, c *stage.C64) { c.M.UCI().NoAnswer(true) },
		words:  "The Ultimate has no network address. Look at the cable, or at Wi-Fi in its menu (F2).",
		again:  true,
	},
	{
		name:  "no socket is left",
		c64:   stage.Machine{UCI: uci.Config{Foreign: everySocket()}},
		words: "The Ultimate has no connection left. Switch the machine off and on: a reset does not free them.",
		again: true,
	},
	{
		name:   "the bridge is full",
		before: func(b *stage.Bridge, _ *stage.C64) { crowd(b, 8) },
		words:  "Bridge full: too many C64s are connected to it.",
		again:  true,
	},
}

// everySocket is all that an Ultimate has.
func everySocket() []int {
	var all []int
	for n := range 16 {
		all = append(all, n)
	}
	return all
}

// typeCode types the right code into the connect screen.
func typeCode(c *stage.C64) {
	c.Strike("e", "DOWN", "DOWN", "CLR")
	c.Keys(strings.ToLower(code) + "\n")
	c.Strike("RETURN")
}

// guess sends wrong codes until the bridge has had enough of them.
func guess(b *stage.Bridge, n int) {
	for range n {
		nc, err := net.Dial("tcp", b.Addr.String())
		if err != nil {
			continue
		}
		wrong := frames.Pair{}
		copy(wrong.Code[:], "WRNG2222")
		_, _ = nc.Write(wrong.AppendTo(frames.Hello{}.AppendTo(nil)))
		_, _ = io.Copy(io.Discard, nc)
		_ = nc.Close()
	}
}

// crowd attaches scripted C64s with a turn each, so that none gives way.
func crowd(b *stage.Bridge, n int) {
	for range n {
		c := b.Client()
		if c.Prompt("/hang") == nil {
			_ = c.WaitText(context.Background(), 1)
		}
	}
}

func TestTroubleEndsInWordsAndCanBeMended(t *testing.T) {
	t.Parallel()
	for _, tr := range troubles {
		t.Run(tr.name, func(t *testing.T) {
			t.Parallel()
			b := stage.Open(t, tr.bridge)
			c := stage.Boot(t, b.Addr, tr.c64)
			if tr.before != nil {
				tr.before(b, c)
			}
			c.Strike("RETURN")
			c.Wait(tr.words, time.Minute)
			c.Let(time.Second)
			if got := c.Screen().Has("next try in"); got != tr.again {
				t.Errorf("whether another try is announced: %v, want %v", got, tr.again)
			}
			dials := c.Dials.Load()
			c.Let(12 * time.Second)
			if !tr.again && c.Dials.Load() != dials {
				t.Error("it was tried again by itself")
			}
			if tr.mend == nil {
				return
			}
			tr.mend(c)
			c.Settled()
			c.Ask("/say mended")
			c.WaitPaper("mended", patience)
		})
	}
}

// What answers at the address need not be a bridge of this version, nor a
// bridge at all.
func TestStrangerAtTheAddressEndsInWords(t *testing.T) {
	t.Parallel()
	for name, stranger := range map[string]struct {
		act   func(w *stage.Wire)
		words string
	}{
		"an older bridge": {func(w *stage.Wire) {
			w.Expect(frames.TypeHello)
			w.Send(frames.Error{Text: []byte("PROMPT64/2 REQUIRED")})
		}, "The bridge speaks another version of Prompt64. Load this program from the bridge's own page."},
		"a newer bridge": {func(w *stage.Wire) {
			w.Expect(frames.TypeHello)
			w.Send(frames.HelloOk{Major: 3})
			w.Drain()
		}, "The bridge speaks another version of Prompt64. Load this program from the bridge's own page."},
		"a web server": {func(w *stage.Wire) {
			_, _ = w.Write([]byte("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"))
			w.Drain()
		}, "What answers there is no Prompt64 bridge. Look at the port."},
		"silence": {func(w *stage.Wire) { w.Drain() },
			"Connected, but the bridge is silent. Is that address really a bridge?"},
		"a hang-up": {func(*stage.Wire) {}, "The bridge closed the connection."},
		"an error without a name": {func(w *stage.Wire) {
			w.Expect(frames.TypeHello)
			w.Send(frames.Error{Text: []byte("THE MOON IS FULL")})
			w.Drain()
		}, "THE MOON IS FULL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := stage.Boot(t, stage.Impostor(t, stranger.act), stage.Machine{})
			c.Strike("RETURN")
			c.Wait(stranger.words, time.Minute)
		})
	}
}

// A program that ran before may have left half a command or an answer nobody
// took.
func TestRestOfAnEarlierProgramDoesNotStopTheConnection(t *testing.T) {
	t.Parallel()
	for _, p := range uci.Profiles() {
		for name, leave := range map[string]func(d *uci.Device){
			"half a command": func(d *uci.Device) { d.LeaveCommand([]byte{0x03, 0x07, 0x40}) },
			"an answer":      func(d *uci.Device) { d.LeaveData([]byte("an earlier program's")) },
		} {
			t.Run(p.Name+"/"+name, func(t *testing.T) {
				t.Parallel()
				b := stage.Open(t, stage.BridgeOptions{})
				c := stage.Boot(t, b.Addr, stage.Machine{Firmware: p.Name})
				leave(c.M.UCI())
				c.Connect()
				c.Ask("/say clean")
				c.WaitPaper("clean", patience)
			})
		}
	}
}
