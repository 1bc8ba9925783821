package uci

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
)

func TestWriteReachesThePeer(t *testing.T) {
	eachFirmware(t, func(t *testing.T, p Profile) {
		c, s, peer := connected(t, p.Name)
		c.want(c.write(s, []byte("ping")), stOK, 4, 0)
		hears(t, peer, "ping")
		c.want(c.write(s, nil), stOK, 0, 0)
		c.want(c.do(3, cmdClose, s), stOK)
		ends(t, peer)
	})
}

func TestShortWriteTakesPart(t *testing.T) {
	c, s, peer := connected(t, "3.14")
	c.d.ShortWrite(3)
	c.want(c.write(s, []byte("abcdef")), stOK, 3, 0)
	c.want(c.write(s, []byte("def")), stOK, 3, 0)
	hears(t, peer, "abcdef")
}

func TestWriteIntoADeadLineBlocksOnceTheBufferIsFull(t *testing.T) {
	c, s, peer := connected(t, "3.14")
	c.d.Cut(BlackHole)
	block := bytes.Repeat([]byte("w"), 800)
	for range 20 {
		c.want(c.write(s, block), stOK, 0x20, 0x03)
	}
	c.queue(append([]byte{3, cmdWrite, s}, block...)...)
	c.control(ctlPush)
	c.pass(2 * time.Minute)
	if c.state() != stateBusy {
		t.Fatal("a WRITE into a full buffer ended")
	}
	c.d.Mend()
	c.until("answer", func() bool { return c.state() == stateLast })
	hears(t, peer, strings.Repeat("w", 21*800))
	c.control(ctlAck)
}

func TestUnacknowledgedBytesAreGivenUpAsError113(t *testing.T) {
	c, s, _ := connected(t, "3.14")
	c.d.Cut(BlackHole)
	c.write(s, []byte("lost"))
	c.now += c.d.cycles(giveUp)
	c.pass(time.Millisecond)
	c.want(c.read(s, 1), "02,NO DATA: 113", 0xff, 0xff)
}

func TestCloseSendsWhatIsQueuedFirst(t *testing.T) {
	c, s, peer := connected(t, "3.14")
	c.write(s, []byte("last words"))
	c.do(3, cmdClose, s)
	got, err := io.ReadAll(peer)
	if err != nil || string(got) != "last words" {
		t.Errorf("the peer got %q, %v", got, err)
	}
}
