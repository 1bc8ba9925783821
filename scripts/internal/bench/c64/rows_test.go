package c64

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/prompt64/prompt64/c64prg/machine"
	"github.com/prompt64/prompt64/scripts/internal/bench/report"
	"github.com/prompt64/prompt64/scripts/internal/bench/rig"
	"github.com/prompt64/prompt64/scripts/internal/bench/stats"
)

// bare is a machine without a program, for what needs none.
func bare(t *testing.T, labels string) *seat {
	t.Helper()
	l, err := machine.ReadLabels(strings.NewReader(labels))
	if err != nil {
		t.Fatal(err)
	}
	m := machine.New(machine.Options{Standard: machine.NTSC})
	t.Cleanup(m.Close)
	return &seat{m: m, labels: l}
}

func TestTheWorstIsWhatIsJudged(t *testing.T) {
	rows := both("key", stats.Sample{0.5, 1.25, 0.75}, "typed", report.AtMost(latencyAim))
	p50, worst := rows[0], rows[1]
	if p50.Value != 0.75 || p50.Verdict() != "" || p50.Note != "typed" {
		t.Errorf("p50: %+v", p50)
	}
	if worst.Value != 1.25 || worst.Verdict() != "over" || worst.Note != "of 3" {
		t.Errorf("worst: %+v", worst)
	}
}

func TestASlowMachineIsUnderItsAim(t *testing.T) {
	slow := pair{now: time.Now, wall: stats.Sample{7, 5, 6}}
	rows := slow.rows("idle")
	if len(rows) != 1 || rows[0].Value != 6 || rows[0].Verdict() != "under" {
		t.Errorf("%+v", rows)
	}
}

func TestFramesAreOfTheMachinesOwnStandard(t *testing.T) {
	s := bare(t, "")
	if got := s.frames(65 * 263); got != 1 {
		t.Errorf("an NTSC frame is %v frames", got)
	}
}

func TestWritesToTheRowsOfTheTableAreSeen(t *testing.T) {
	s := bare(t, "al 003000 .row_low\nal 003020 .row_high\n")
	for row := range uint16(25) { // a screen at $4000
		at := 0x4000 + 40*row
		s.m.Poke(0x3000+row, byte(at))
		s.m.Poke(0x3020+row, byte(at>>8))
	}
	var seen []uint16
	stop, err := s.rows(firstEdit, endEdit, func(addr uint16, _ byte) { seen = append(seen, addr) })
	if err != nil {
		t.Fatal(err)
	}
	// LDA #1; STA above the rows, first cell, last cell, below; then a loop.
	code := []byte{0xa9, 1, 0x8d, 0x6f, 0x43, 0x8d, 0x70, 0x43, 0x8d, 0xe7, 0x43, 0x8d, 0xe8, 0x43, 0x4c, 0x0f, 0x08}
	for i, b := range code {
		s.m.Poke(0x0801+uint16(i), b)
	}
	s.m.CPU().Reg.PC = 0x0801
	if err := s.m.RunFrames(1); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 2 || seen[0] != 0x4370 || seen[1] != 0x43e7 {
		t.Errorf("seen: %04X", seen)
	}
	stop()
	s.m.CPU().Reg.PC = 0x0801
	if err := s.m.RunFrames(1); err != nil || len(seen) != 2 {
		t.Errorf("after the end: %04X, %v", seen, err)
	}
}

func TestAMissingSymbolIsNamed(t *testing.T) {
	s := bare(t, "al 000801 .start\n")
	if _, err := s.rows(firstText, endText, nil); err == nil || !strings.Contains(err.Error(), "row_low") {
		t.Errorf("rows: %v", err)
	}
	if _, err := s.addr("key_store"); err == nil || !strings.Contains(err.Error(), "key_store") {
		t.Errorf("addr: %v", err)
	}
}

func TestALetterWithoutAKeyIsRefused(t *testing.T) {
	s := bare(t, "")
	s.m.CPU().Reg.PC = 0x0801
	s.m.Poke(0x0801, 0x4c) // JMP $0801
	s.m.Poke(0x0802, 0x01)
	s.m.Poke(0x0803, 0x08)
	if _, _, err := s.press(0x0900, 'é', rand.New(rand.NewPCG(1, 1))); err == nil || !strings.Contains(err.Error(), "é") {
		t.Errorf("%v", err)
	}
}

func TestTheProgramGetsTheBridgesAddress(t *testing.T) {
	p := here(t)
	b, err := rig.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, err := program(p.PRG(), b.Addr, 0); err != nil {
		t.Error(err)
	}
	for _, addr := range []string{"", "127.0.0.1", "127.0.0.1:port", "127.0.0.1:70000"} {
		if _, err := program(p.PRG(), addr, 0); err == nil {
			t.Errorf("%q was written into the program", addr)
		}
	}
}
