package uci

import (
	"testing"
	"time"
)

func TestAbortWaitsForTheCommandInExecution(t *testing.T) {
	c, s, _ := connected(t, "3.12")
	c.pass(time.Millisecond)
	c.queue(3, cmdRead, s, 16, 0)
	c.control(ctlPush)
	c.pass(100 * time.Millisecond)
	c.control(ctlAbort)
	c.pass(3 * time.Second)
	if st := c.load(regControl); st&0x34 != 0x14 {
		t.Fatalf("status $%02X: ABORT broke into a READ", st)
	}
	c.until("idle", func() bool { return c.load(regControl)&0x37 == 0 })
	c.want(c.do(3, cmdInterfaces), stOK, 1)
}

func TestReplyOfAnErrorMustBeAcknowledgedToo(t *testing.T) {
	c := newProgram(t, "3.14")
	c.strict = false
	c.queue(3, 0x77)
	c.control(ctlPush)
	c.until("answer", func() bool { return c.state() == stateLast })
	c.pass(time.Minute)
	c.queue(3, cmdIdentify)
	c.control(ctlPush)
	if c.load(regControl)&0x08 == 0 {
		t.Error("the next command was taken before the error was acknowledged")
	}
}

func TestAcknowledgeDropsWhatWasNotRead(t *testing.T) {
	c := newProgram(t, "3.14")
	c.queue(3, cmdIdentify)
	c.control(ctlPush)
	c.until("answer", func() bool { return c.load(regControl)&0x31 == 0x20 })
	c.load(regData)
	c.control(ctlAck)
	if s := c.load(regControl); s != 0 {
		t.Fatalf("status $%02X, want 0", s)
	}
	c.want(c.do(3, cmdInterfaces), stOK, 1)
}

func TestNoReplyBitGoesStraightToIdle(t *testing.T) {
	c, s, peer := connected(t, "3.14")
	c.queue(0x83, cmdWrite, s, 'h', 'i')
	c.control(ctlPush)
	for c.load(regControl)&0x31 != 0 {
		if c.state() >= stateLast {
			t.Fatal("a reply was shown")
		}
		c.pass(20 * time.Microsecond)
	}
	hears(t, peer, "hi")
}

func TestCompletionInterruptShowsInTheId(t *testing.T) {
	for _, clear := range []string{"ack", "data", "status"} {
		c := newProgram(t, "newer")
		c.queue(3, cmdIdentify)
		c.control(ctlPush | ctlIRQ)
		if c.d.IRQ() || c.load(regCommand) != idOn {
			t.Fatal("the interrupt is active before the end")
		}
		c.until("interrupt", c.d.IRQ)
		if c.load(regCommand) != idInterrupt {
			t.Errorf("id $%02X, want $49", c.load(regCommand))
		}
		map[string]func(){"ack": func() { c.control(ctlAck) }, "data": func() { c.load(regData) },
			"status": func() { c.load(regStatus) }}[clear]()
		if c.d.IRQ() || c.load(regCommand) != idOn {
			t.Errorf("%s does not clear the interrupt", clear)
		}
	}
}

func TestOlderFirmwareHasNoCompletionInterrupt(t *testing.T) {
	c := newProgram(t, "3.14")
	c.queue(3, cmdIdentify)
	c.control(ctlPush | ctlIRQ)
	c.until("answer", func() bool { return c.state() == stateLast })
	if c.d.IRQ() {
		t.Error("3.14 pulled the interrupt")
	}
}

func TestSwitchedOffEveryRegisterReadsFF(t *testing.T) {
	c := newProgram(t, "3.14")
	c.d.Off(true)
	for reg := range byte(8) {
		if v := c.load(reg); v != 0xff {
			t.Errorf("register %d reads $%02X", reg, v)
		}
	}
	c.queue(3, cmdIdentify)
	c.control(ctlPush)
	c.d.Off(false)
	if c.load(regControl) != 0 || c.load(regCommand) != idOn {
		t.Error("writes reached an interface that was off")
	}
}

func TestWedgedInterfaceStaysBusyWhateverIsTried(t *testing.T) {
	c := newProgram(t, "3.14")
	c.d.Wedge(true)
	c.queue(3, cmdIdentify)
	c.control(ctlPush)
	c.control(ctlAbort)
	c.pass(time.Minute)
	if s := c.load(regControl); s != 0x15 {
		t.Errorf("status $%02X, want busy with ABORT pending", s)
	}
	c.d.PowerCycle()
	c.want(c.do(3, cmdInterfaces), stOK, 1)
}

func TestReadModifyWriteOfControlIsNoticed(t *testing.T) {
	c := newProgram(t, "3.14")
	c.strict = false
	c.d.LeaveData([]byte{1})
	c.control(c.load(regControl) | ctlAck)
	if len(c.notes) == 0 {
		t.Error("DMA and TRIGGER bits went unnoticed")
	}
}

func TestUnknownProfileNamesTheKnownOnes(t *testing.T) {
	if _, err := ProfileNamed("2.6"); err == nil {
		t.Error("2.6 was taken")
	}
	for _, p := range Profiles() {
		if _, err := ProfileNamed(p.Name); err != nil {
			t.Error(err)
		}
	}
}
