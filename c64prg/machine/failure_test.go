package machine

import (
	"errors"
	"strings"
	"testing"
)

// ends runs a program that must fail and returns its failure.
func ends(t *testing.T, opt Options, code ...byte) *Failure {
	t.Helper()
	m := New(opt)
	defer m.Close()
	if err := m.Load(program(code...)); err != nil {
		t.Fatal(err)
	}
	err := m.RunFrames(3)
	var f *Failure
	if !errors.As(err, &f) {
		t.Fatalf("the program ran on: %v", err)
	}
	if again := m.RunFrames(1); !errors.Is(again, err) {
		t.Errorf("a later run says %v", again)
	}
	return f
}

func TestExecutingWhereNoProgramIsEndsTheRun(t *testing.T) {
	for name, code := range map[string][]byte{
		"BASIC's place":      {0x4c, 0x00, 0xa0},
		"the KERNAL's place": {0x20, 0xd2, 0xff},
		"I/O":                append(banks(0x35), 0x4c, 0x20, 0xd0),
		"the character ROM":  append(banks(0x33), 0x4c, 0x00, 0xd0),
	} {
		if f := ends(t, Options{}, code...); !strings.HasPrefix(f.Reason, "exec: $") {
			t.Errorf("%s: %s", name, f.Reason)
		}
	}
}

func TestFailureTellsWhoCalled(t *testing.T) {
	f := ends(t, Options{}, 0x20, 0x10, 0x08, 0x20, 0xd2, 0xff) // JSR $0810, which is JSR $FFD2
	if len(f.Stack) < 2 || f.Stack[0] != "$0810" || f.Stack[1] != "$080D" {
		t.Errorf("stack %v", f.Stack)
	}
	if n := len(f.Trail); n != 2 || f.Trail[1] != "0810" {
		t.Errorf("trail %v", f.Trail)
	}
	if msg := f.Error(); !strings.Contains(msg, "$FFD2") || !strings.Contains(msg, "SP=$") {
		t.Errorf("the message lacks registers: %s", msg)
	}
}

func TestProgramThatEndsByTheResetVectorIsSeenThere(t *testing.T) {
	code := join(banks(0x37), []byte{0x6c, 0xfc, 0xff}) // JMP ($FFFC)
	if f := ends(t, Options{}, code...); f.PC != ResetEntry || !strings.Contains(f.Reason, "ROM") {
		t.Errorf("it ended at $%04X: %s", f.PC, f.Reason)
	}
}

func TestUndocumentedOpcodeEndsTheRun(t *testing.T) {
	for _, op := range []byte{0x02, 0x04, 0x1a, 0x80, 0xa7, 0xeb, 0xff} {
		if f := ends(t, Options{}, op, 0, 0); !strings.Contains(f.Reason, "undocumented") {
			t.Errorf("$%02X: %s", op, f.Reason)
		}
	}
}

func TestBRKEndsTheRunUnlessAllowed(t *testing.T) {
	if f := ends(t, Options{}, 0x00); !strings.Contains(f.Reason, "BRK") {
		t.Error(f.Reason)
	}
	code := join(banks(0x34), put(0xfffe, 0x00), put(0xffff, 0x30), put(0x3000, 0xee), put(0x3001, 0x00), put(0x3002, 0x20),
		put(0x3003, 0x40), put(0x2000, 0), []byte{0x00, 0xea})
	m := started(t, Options{AllowBRK: true}, 1, code...)
	m.want(t, 0x2000, 1)
}

func TestStrictMachineRunsLoadedCodeOnly(t *testing.T) {
	code := join(put(0x3000, 0x60), []byte{0x20, 0x00, 0x30})
	if f := ends(t, Options{Strict: true}, code...); f.PC != 0x3000 {
		t.Errorf("it ended at $%04X", f.PC)
	}
	m := New(Options{Strict: true})
	defer m.Close()
	m.AllowExec(0x3000, 0x3001)
	if err := m.Load(program(loop(code)...)); err != nil {
		t.Fatal(err)
	}
	if err := m.RunFrames(1); err != nil {
		t.Error(err)
	}
}

func TestGuardedMemoryMayNotBeWritten(t *testing.T) {
	m := New(Options{})
	defer m.Close()
	m.Guard(0x40, 0x44)
	if err := m.Load(program(loop([]byte{0xa9, 1, 0x85, 0x44, 0x85, 0x3f, 0x85, 0x43})...)); err != nil {
		t.Fatal(err)
	}
	err := m.RunFrames(1)
	if err == nil || !strings.Contains(err.Error(), "$0043 at $0813") {
		t.Errorf("got %v", err)
	}
}

func TestInterruptUnderTheKERNALIsServedForJiffiesOnly(t *testing.T) {
	m := started(t, Options{}, 10, 0x58) // CLI, then loop with everything as BASIC left it
	if m.Err() != nil {
		t.Fatal(m.Err())
	}
	code := join([]byte{0x78}, put(0xd012, 0x80), put(0xd01a, 1), []byte{0x58, 0x4c, 0x18, 0x08})
	if f := ends(t, Options{}, code...); !strings.HasPrefix(f.Reason, "irq:") {
		t.Error(f.Reason)
	}
}

func TestNMIUnderTheKERNALGoesThroughItsRAMVector(t *testing.T) {
	code := join(put(0x0318, 0x00), put(0x0319, 0x30), put(0x2000, 0), put(0x3000, 0xee), put(0x3001, 0x00), put(0x3002, 0x20),
		put(0x3003, 0x40))
	m := started(t, Options{}, 1, code...)
	m.Restore()
	if err := m.RunFrames(1); err != nil {
		t.Fatal(err)
	}
	m.want(t, 0x2000, 1)
	plain := started(t, Options{}, 1)
	plain.Restore()
	if err := plain.RunFrames(1); err != nil {
		t.Error(err)
	}
}

func TestStackLowRemembersTheDeepestPush(t *testing.T) {
	m := started(t, Options{}, 1, 0x78, 0x48, 0x48, 0x48, 0x68, 0x68, 0x68)
	if sp := m.StackLow(); sp != basicSP-3 {
		t.Errorf("$%02X, want $%02X", sp, basicSP-3)
	}
}

func TestWatchAndBreakSeeWhatHappens(t *testing.T) {
	m := New(Options{})
	defer m.Close()
	var written []byte
	hits := 0
	m.Watch(0x2000, func(_ uint16, v byte) { written = append(written, v) })
	m.Break(entry+5, func() { hits++ })
	if err := m.Load(program(loop(join(put(0x2000, 7), put(0x2000, 8)))...)); err != nil {
		t.Fatal(err)
	}
	if err := m.RunFrames(1); err != nil {
		t.Fatal(err)
	}
	if string(written) != "\x07\x08" || hits != 1 {
		t.Errorf("written % X, %d hits", written, hits)
	}
	m.want(t, 0x2000, 8)
	m.Watch(0x2000, nil)
	m.Break(entry+5, nil)
	if m.careful() || m.bus.wr[0x20] == nil {
		t.Error("hooks stay behind")
	}
}

func TestHookCanFailTheRun(t *testing.T) {
	m := New(Options{})
	defer m.Close()
	m.Break(entry, func() { m.Fail("here is %d", 42) })
	if err := m.Load(program(loop(nil)...)); err != nil {
		t.Fatal(err)
	}
	if err := m.RunFrames(1); err == nil || !strings.Contains(err.Error(), "here is 42") {
		t.Errorf("got %v", err)
	}
}
