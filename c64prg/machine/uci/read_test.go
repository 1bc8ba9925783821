package uci

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"
)

func TestReadWithoutDataBlocksAsLongAsTheFirmwareDoes(t *testing.T) {
	eachFirmware(t, func(t *testing.T, p Profile) {
		c, s, _ := connected(t, p.Name)
		a := c.read(s, 16)
		c.want(a, "02,NO DATA: 11", 0xff, 0xff)
		if a.took < p.ReadTimeout || a.took > p.ReadTimeout+20*time.Millisecond {
			t.Errorf("it took %s, want %s", a.took, p.ReadTimeout)
		}
	})
}

func TestReadReturnsWhatHasArrived(t *testing.T) {
	eachFirmware(t, func(t *testing.T, p Profile) {
		c, s, peer := connected(t, p.Name)
		say(t, peer, "hello, ")
		say(t, peer, "c64")
		if got := string(c.readAll(s, 10)); got != "hello, c64" {
			t.Errorf("got %q", got)
		}
	})
}

// TestReadWakesForDataThatComesLater: a READ in flight ends when bytes come, not
// at its time-out.
func TestReadWakesForDataThatComesLater(t *testing.T) {
	c, s, peer := connected(t, "3.12")
	c.pass(time.Millisecond)
	c.queue(3, cmdRead, s, 16, 0)
	c.control(ctlPush)
	c.pass(10 * time.Millisecond)
	say(t, peer, "x")
	from := c.now
	c.until("answer", func() bool { return c.state() == stateLast })
	if took := c.elapsed(from); took > 3*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestReadTakesPartAndLeavesTheRest(t *testing.T) {
	c, s, peer := connected(t, "3.14")
	say(t, peer, "abcdef")
	var got []byte
	for len(got) < 6 {
		if a := c.read(s, 4); a.status == stOK {
			if len(a.data) > 6 {
				t.Fatalf("asked for 4, got % X", a.data)
			}
			got = append(got, a.data[2:]...)
		}
	}
	if string(got) != "abcdef" {
		t.Errorf("got %q", got)
	}
}

func TestReadOfZeroBytesClosesTheSocket(t *testing.T) {
	c, s, peer := connected(t, "3.14")
	c.strict = false
	c.want(c.read(s, 0), stClosed, 0, 0)
	c.want(c.read(s, 1), "02,NO DATA: 9", 0xff, 0xff)
	if len(c.notes) == 0 {
		t.Error("it went unnoticed")
	}
	ends(t, peer)
}

func TestEndOfStreamShowsOnceAndTheSocketIsGone(t *testing.T) {
	eachFirmware(t, func(t *testing.T, p Profile) {
		c, s, peer := connected(t, p.Name)
		say(t, peer, "bye")
		peer.Close()
		if got := string(c.readAll(s, 3)); got != "bye" {
			t.Fatalf("got %q", got)
		}
		var a answerTo
		for a = c.read(s, 16); a.status == "02,NO DATA: 11"; a = c.read(s, 16) {
		}
		c.want(a, stClosed, 0, 0)
		if n := c.d.Open(); len(n) != 0 {
			t.Errorf("open sockets %v", n)
		}
		c.strict = false
		c.want(c.do(3, cmdClose, s), "12,ERROR ON CLOSE: 9")
		if len(c.notes) != 1 {
			t.Errorf("closing it again was noted %d times", len(c.notes))
		}
	})
}

func TestResetShowsAsErrorNeverAsEnd(t *testing.T) {
	c, s, peer := connected(t, "3.14")
	_ = peer.SetLinger(0)
	peer.Close()
	var a answerTo
	for a = c.read(s, 16); a.status == "02,NO DATA: 11"; a = c.read(s, 16) {
	}
	c.want(a, "02,NO DATA: 104", 0xff, 0xff)
	c.want(c.read(s, 16), "02,NO DATA: 128", 0xff, 0xff)
	c.want(c.write(s, []byte("x")), "12,SEND ERROR: 128", 0xff, 0xff)
	c.want(c.do(3, cmdClose, s), stOK)
}

func TestBadHandleIsError9(t *testing.T) {
	c := newProgram(t, "3.14")
	c.want(c.read(7, 1), "02,NO DATA: 9", 0xff, 0xff)
	c.want(c.read(255, 1), "02,NO DATA: 9", 0xff, 0xff)
	c.want(c.write(7, []byte("x")), "12,SEND ERROR: 9", 0xff, 0xff)
}

func TestAskBeyondTheBufferOfOldFirmwareIsABreach(t *testing.T) {
	for firmware, breach := range map[string]bool{"3.10": true, "3.11": true, "3.12": false, "3.14": false} {
		c, s, peer := connected(t, firmware)
		c.strict = false
		say(t, peer, "x")
		c.read(s, 510)
		if len(c.notes) != 0 {
			t.Errorf("%s: 510 is a breach: %q", firmware, c.notes)
		}
		c.read(s, 511)
		if got := len(c.notes) > 0; got != breach {
			t.Errorf("%s: 511 a breach: %v, want %v", firmware, got, breach)
		}
	}
}

func TestFullReplyNeverRunsEmpty(t *testing.T) {
	for ask, endless := range map[int]bool{893: false, 894: true} {
		c, s, peer := connected(t, "3.14")
		say(t, peer, strings.Repeat("a", 893)+"z")
		c.pass(time.Millisecond)
		c.until("all has arrived", func() bool { return c.d.socks[s].conn.arrived.Load() == 894 })
		c.queue(3, cmdRead, s, byte(ask), byte(ask>>8))
		c.control(ctlPush)
		c.until("answer", func() bool { return c.state() == stateLast })
		last := byte(0)
		for range 2 + ask {
			last = c.load(regData)
		}
		if got := c.load(regControl)&0x80 != 0; got != endless {
			t.Errorf("ask %d: DATA_AV after the reply is %v", ask, got)
		}
		if endless && c.load(regData) != last {
			t.Error("the last byte does not repeat")
		}
		c.control(ctlAck)
	}
}

func TestAskBeyondTheQueueIsOutOfRange(t *testing.T) {
	c, s, _ := connected(t, "3.14")
	c.want(c.read(s, 895), stRange)
}

func TestLongReadComesInBlocksOnNewFirmware(t *testing.T) {
	c, s, peer := connected(t, "newer")
	text := strings.Repeat("0123456789", 147) + "!!"
	say(t, peer, text)
	c.until("all has arrived", func() bool { return c.d.socks[s].conn.arrived.Load() == 1472 })
	c.queue(3, cmdRead, s, 0xc0, 0x05)
	c.control(ctlPush)
	c.until("answer", func() bool { return c.state() == stateMore })
	if c.load(regControl)&0x40 != 0 {
		t.Error("the first block has a status text")
	}
	first := c.drain()
	if n := binary.LittleEndian.Uint16(first); n != 1472 || len(first) != 2+firstBlock {
		t.Fatalf("first block: count %d, %d bytes", n, len(first))
	}
	c.control(ctlAck)
	if st := c.load(regControl); st&0x32 != 0x12 {
		t.Errorf("status $%02X behind DATA_ACC, want busy with DATA_ACC pending", st)
	}
	c.until("next block", func() bool { return c.state() == stateLast })
	if got := string(first[2:]) + string(c.drain()); got != text {
		t.Errorf("the blocks do not join: %d bytes", len(got))
	}
	if c.load(regControl)&0x40 == 0 {
		t.Error("the last block has no status text")
	}
	c.control(ctlAck)
}

// drain reads the data queue while DATA_AV says so.
func (c *program) drain() (out []byte) {
	for c.load(regControl)&0x80 != 0 {
		out = append(out, c.load(regData))
	}
	return out
}

func TestReadAt893OrLessIsAlwaysOneBlock(t *testing.T) {
	c, s, peer := connected(t, "newer")
	say(t, peer, strings.Repeat("y", 2000))
	c.until("all has arrived", func() bool { return c.d.socks[s].conn.arrived.Load() == 2000 })
	if a := c.read(s, 893); len(a.data) != 895 || a.status != stOK {
		t.Errorf("%d bytes, %q", len(a.data), a.status)
	}
}
