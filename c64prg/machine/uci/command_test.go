package uci

import (
	"strings"
	"testing"
	"time"
)

func TestIdentifyNamesTheNetworkTarget(t *testing.T) {
	eachFirmware(t, func(t *testing.T, p Profile) {
		c := newProgram(t, p.Name)
		c.want(c.do(3, cmdIdentify), stOK, []byte(identity)...)
	})
}

func TestOtherTargetsSayNoTarget(t *testing.T) {
	c := newProgram(t, "3.14")
	c.want(c.do(7, cmdIdentify), stOK, []byte(noTarget)...)
	c.want(c.do(7, 0x44), stUnknown)
}

func TestWrongLengthIsInvalidParams(t *testing.T) {
	c := newProgram(t, "3.14")
	for _, cmd := range [][]byte{
		{3, cmdIdentify, 0}, {3, cmdIP}, {3, cmdIP, 0, 0}, {3, cmdClose}, {3, cmdClose, 0, 0},
		{3, cmdRead, 0, 1}, {3, cmdRead, 0, 1, 0, 0}, {3, cmdOpenTCP, 1, 0}, {3, cmdWrite},
	} {
		if a := c.do(cmd...); a.status != stParams || len(a.data) > 0 {
			t.Errorf("% X: %q % X, want %q", cmd, a.status, a.data, stParams)
		}
	}
}

func TestListenerCommandsAreUnknown(t *testing.T) {
	c := newProgram(t, "newer")
	for cmd := byte(0x12); cmd <= 0x15; cmd++ {
		c.want(c.do(3, cmd, 0), stUnknown)
	}
}

func TestCommandOfOneByteIsUnknown(t *testing.T) {
	c := newProgram(t, "3.14")
	c.queue(3)
	c.control(ctlPush)
	c.until("answer", func() bool { return c.state() == stateLast })
	if c.load(regControl)&0x80 != 0 {
		t.Error("an unknown command brought data")
	}
}

func TestFirstInterfaceMayBeDeadWhileTheSecondWorks(t *testing.T) {
	c := newProgram(t, "3.14", func(cfg *Config) {
		cfg.Interfaces = []Interface{{}, DefaultInterface, {Unavailable: true}}
	})
	c.want(c.do(3, cmdInterfaces), stOK, 3)
	c.want(c.do(3, cmdIP, 0), stOK, make([]byte, 12)...)
	c.want(c.do(3, cmdIP, 1), stOK, 192, 168, 1, 64, 255, 255, 255, 0, 192, 168, 1, 1)
	c.want(c.do(3, cmdMAC, 1), stOK, DefaultInterface.MAC[:]...)
	c.want(c.do(3, cmdIP, 2), stNoIface)
	c.want(c.do(3, cmdIP, 3), stRange)
}

func TestBusyAndStateFallInTheFirmwaresOrder(t *testing.T) {
	eachFirmware(t, func(t *testing.T, p Profile) {
		c := newProgram(t, p.Name)
		c.queue(3, cmdIdentify)
		c.control(ctlPush)
		if s := c.load(regControl); s&0x31 != 0x11 {
			t.Fatalf("status right behind PUSH is $%02X, want busy", s)
		}
		first := byte(0)
		c.until("a change", func() bool {
			for range 50 {
				if s := c.load(regControl) & 0x31; s != 0x11 {
					first = s
					return true
				}
				c.pass(20 * time.Microsecond)
			}
			return false
		})
		if want := map[bool]byte{true: 0x10, false: 0x21}[p.BusyFirst]; first != want {
			t.Errorf("status changes to $%02X first, want $%02X", first, want)
		}
		c.pass(time.Millisecond)
		if s := c.load(regControl) & 0x31; s != 0x20 {
			t.Errorf("status settles at $%02X, want $20", s)
		}
	})
}

func TestPushBeforeBusyFellLosesTheCommandOnOldFirmware(t *testing.T) {
	c := newProgram(t, "3.12a")
	c.strict = false
	c.queue(3, cmdIdentify)
	c.control(ctlPush)
	for c.state() != stateLast {
		c.pass(20 * time.Microsecond)
	}
	c.control(ctlAck)
	c.queue(3, cmdInterfaces)
	c.control(ctlPush)
	c.pass(10 * time.Second)
	if c.state() != stateBusy {
		t.Fatalf("state is %d: the lost command ended by itself", c.state())
	}
	if len(c.notes) == 0 {
		t.Error("the race went unnoticed")
	}
	c.control(ctlAbort)
	c.until("idle after ABORT", func() bool { return c.load(regControl)&0x37 == 0 })
	c.want(c.do(3, cmdInterfaces), stOK, 1)
}

func TestLostCommandStaysBusyUntilAbort(t *testing.T) {
	c := newProgram(t, "3.12")
	c.d.LoseCommand()
	c.queue(3, cmdIdentify)
	c.control(ctlPush)
	c.pass(10 * time.Second)
	if s := c.load(regControl); s != 0x11 {
		t.Fatalf("status $%02X, want busy", s)
	}
	c.control(ctlAbort)
	c.until("idle", func() bool { return c.load(regControl)&0x37 == 0 })
	c.want(c.do(3, cmdInterfaces), stOK, 1)
}

func TestCommandBytesWrittenWhileBusyAreLost(t *testing.T) {
	eachFirmware(t, func(t *testing.T, p Profile) {
		c := newProgram(t, p.Name)
		c.strict = false
		c.queue(3, cmdIdentify)
		c.control(ctlPush)
		c.queue(9, 9, 9)
		c.until("answer", func() bool { return c.load(regControl)&0x31 == 0x20 })
		c.control(ctlAck)
		if len(c.notes) != 3 {
			t.Errorf("%d breaches noted, want 3", len(c.notes))
		}
		c.want(c.do(3, cmdInterfaces), stOK, 1)
	})
}

func TestLeftoverBytesPrefixTheFirstCommandUntilAbort(t *testing.T) {
	c := newProgram(t, "3.14")
	c.d.LeaveCommand([]byte{3, cmdRead})
	if a := c.do(3, cmdIdentify); a.status == stOK {
		t.Fatal("the leftover bytes did no harm")
	}
	c.d.LeaveCommand([]byte{3, cmdRead})
	c.control(ctlAbort)
	c.until("idle", func() bool { return c.load(regControl)&0x37 == 0 })
	c.want(c.do(3, cmdInterfaces), stOK, 1)
}

func TestPushInADataStateRaisesErrorAndChangesNothing(t *testing.T) {
	c := newProgram(t, "3.14")
	c.strict = false
	c.d.LeaveData([]byte("old"))
	c.queue(3, cmdIdentify)
	c.control(ctlPush)
	c.pass(time.Second)
	if s := c.load(regControl); s != 0x80|0x40|0x20|0x08 {
		t.Fatalf("status $%02X, want the old data, and ERROR", s)
	}
	c.control(ctlClear)
	if c.load(regControl)&0x08 != 0 {
		t.Error("CLR_ERR did not clear ERROR")
	}
	c.control(ctlAbort)
	c.until("idle", func() bool { return c.load(regControl) == 0 })
	c.want(c.do(3, cmdInterfaces), stOK, 1)
}

func TestCommandQueueStopsAt895Bytes(t *testing.T) {
	c, s, peer := connected(t, "3.14")
	fits := strings.Repeat("x", 892)
	c.want(c.write(s, []byte(fits)), stOK, 0x7c, 0x03)
	hears(t, peer, fits)
	c.strict = false
	c.want(c.write(s, []byte(fits+"yz")), stOK, 0x7c, 0x03)
	if len(c.notes) == 0 {
		t.Error("the overlong command went unnoticed")
	}
}

func TestReadingAnEmptyQueueGivesZero(t *testing.T) {
	c := newProgram(t, "3.14")
	if c.load(regData) != 0 || c.load(regStatus) != 0 {
		t.Error("an empty queue is not 0")
	}
}
