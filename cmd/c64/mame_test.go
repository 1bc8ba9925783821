package main_test

import (
	"context"
	_ "embed"
	"encoding/binary"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/c64prg"
	"github.com/prompt64/prompt64/c64prg/machine/chargen"
	"github.com/prompt64/prompt64/cmd/c64/internal/stage"
)

// mameScript loads the program, presses keys and looks at the screen.
//
//go:embed testdata/mame.lua
var mameScript string

// The same program on a C64 that others have modelled: MAME's, with its SwiftLink
// and 6551. It needs MAME (Debian: mame) and takes real time, so it runs only with
// PROMPT64_MAME=1. Commodore's ROMs are not needed: the program uses none, and what
// starts it here is written below.
func TestTalkInAnotherEmulator(t *testing.T) {
	if os.Getenv("PROMPT64_MAME") == "" {
		t.Skip("PROMPT64_MAME=1 runs the program in MAME")
	}
	mame, err := exec.LookPath("mame")
	if err != nil {
		mame = "/usr/games/mame"
	}
	dir := t.TempDir()
	mameROMs(t, filepath.Join(dir, "c64p"))
	cfg, err := c64prg.Config{Port: 6464}.AtSpeed(link.DefaultBaud)
	must(t, err)
	prg, err := c64prg.Patch(c64prg.Program(), cfg)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "prompt64.prg"), prg, 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "run.lua"), []byte(mameScript), 0o644))

	socket, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer socket.Close()
	l := stage.NewLineAt(t, func() (link.Port, error) { return socket.Accept() })
	b := stage.Open(t, stage.BridgeOptions{Line: l})

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, mame, "c64p", "-rompath", dir, "-iec8", "", "-exp", "swiftlink",
		"-exp:swiftlink:rs232", "null_modem", "-bitb", "socket."+socket.Addr().String(),
		"-video", "none", "-sound", "none", "-skip_gameinfo", "-seconds_to_run", "240",
		"-autoboot_delay", "0", "-autoboot_script", filepath.Join(dir, "run.lua"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "SDL_VIDEODRIVER=dummy")
	out, err := cmd.CombinedOutput() // MAME 0.251 crashes when it ends: its words count
	text := string(out)
	if !strings.Contains(text, "DONE") {
		t.Fatalf("%v\n%s", err, text)
	}
	t.Log(text)
	if got := strings.Join(b.Prompts(), ", "); got != "/stream 3000, /say through" {
		t.Errorf("the agent got %s", got)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// mameROMs writes what MAME wants in place of Commodore's ROMs: a kernal that
// waits until the program is in RAM and starts it, the project's own characters,
// and the memory map of a C64 without a cartridge in the PLA.
func mameROMs(t *testing.T, dir string) {
	t.Helper()
	must(t, os.Mkdir(dir, 0o755))
	kernal := make([]byte, 8192)
	copy(kernal, []byte{
		0x78, 0xd8, 0xa2, 0xff, 0x9a, // SEI, CLD, LDX #$FF, TXS
		0xa9, 0x37, 0x85, 0x01, 0xa9, 0x2f, 0x85, 0x00, // ROMs and I/O
		0xa9, 0x00, 0x8d, 0xa7, 0x02, // STA $02A7
		0xad, 0xa7, 0x02, 0xf0, 0xfb, // until it is not 0
		0x4c, 0x0d, 0x08, // JMP $080D
		0x40, // RTI
	})
	binary.LittleEndian.PutUint16(kernal[0x1ffa:], 0xe01a)
	binary.LittleEndian.PutUint16(kernal[0x1ffc:], 0xe000)
	binary.LittleEndian.PutUint16(kernal[0x1ffe:], 0xe01a)
	chars := chargen.ROM()
	for name, data := range map[string][]byte{
		"901226-01.u3": make([]byte, 8192), "901227-03.u4": kernal,
		"901225-01.u5": chars[:], "906114-01.u17": plaMap(),
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
}

// Inputs and outputs of the PLA, by their bits.
const (
	inLORAM, inHIRAM, inCHAREN, inVA14         = 1, 2, 3, 4
	inA15, inA14, inA13, inA12                 = 5, 6, 7, 8
	inAEC, inRW, inVA13, inVA12                = 10, 11, 14, 15
	outCASRAM, outBASIC, outKERNAL, outCHAROM  = 0, 1, 2, 3
	outGRW, outIO, outROML, outROMH            = 4, 5, 6, 7
	plaInputs, plaTerms, plaOutputs, plaHeader = 16, 48, 8, 4
)

// plaMap is the fuse map of a PLS100 as MAME reads it.
func plaMap() []byte {
	type term struct{ high, low, out []int }
	d000 := []int{inA15, inA14, inA12}
	terms := []term{
		{[]int{inLORAM, inHIRAM, inA15, inA13, inRW}, []int{inA14, inAEC}, []int{outBASIC, outCASRAM}},
		{[]int{inHIRAM, inA15, inA14, inA13, inRW}, []int{inAEC}, []int{outKERNAL, outCASRAM}},
		{[]int{inVA14, inVA12, inAEC}, []int{inVA13}, []int{outCHAROM, outCASRAM}},
	}
	for _, bank := range []int{inLORAM, inHIRAM} {
		terms = append(terms,
			term{append([]int{bank, inRW}, d000...), []int{inA13, inAEC, inCHAREN}, []int{outCHAROM, outCASRAM}},
			term{append([]int{bank, inCHAREN}, d000...), []int{inA13, inAEC}, []int{outIO, outCASRAM}},
			term{append([]int{bank, inCHAREN}, d000...), []int{inA13, inAEC, inRW}, []int{outGRW}})
	}
	const fuses = plaTerms*(2*plaInputs+plaOutputs) + plaOutputs
	out := make([]byte, plaHeader+fuses/8)
	binary.BigEndian.PutUint32(out, fuses)
	blow := func(n int) { out[plaHeader+n/8] |= 1 << (n % 8) }
	for i, p := range terms {
		at := i * (2*plaInputs + plaOutputs)
		high, low, or := map[int]bool{}, map[int]bool{}, map[int]bool{}
		for _, set := range []struct {
			m map[int]bool
			n []int
		}{{high, p.high}, {low, p.low}, {or, p.out}} {
			for _, n := range set.n {
				set.m[n] = true
			}
		}
		for in := range plaInputs {
			if !low[in] {
				blow(at + 2*in)
			}
			if !high[in] {
				blow(at + 2*in + 1)
			}
		}
		for o := range plaOutputs {
			if !or[o] {
				blow(at + 2*plaInputs + o)
			}
		}
	}
	for _, o := range []int{outBASIC, outKERNAL, outCHAROM, outGRW, outIO, outROML, outROMH} {
		blow(plaTerms*(2*plaInputs+plaOutputs) + o) // low is on
	}
	return out
}
