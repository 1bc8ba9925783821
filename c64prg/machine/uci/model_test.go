package uci

import (
	"bytes"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestRegistersStaySoundWhateverIsWritten: a program gone wild finds its way
// back with ABORT, on every firmware.
func TestRegistersStaySoundWhateverIsWritten(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := rapid.SampledFrom(profiles).Draw(rt, "firmware")
		d := New(Config{Profile: p})
		defer d.Close()
		now := uint64(0)
		for range rapid.IntRange(1, 60).Draw(rt, "acts") {
			switch rapid.IntRange(0, 2).Draw(rt, "act") {
			case 0:
				d.Store(rapid.ByteRange(0, 7).Draw(rt, "reg"), rapid.Byte().Draw(rt, "value"), now)
			case 1:
				d.Load(rapid.ByteRange(0, 7).Draw(rt, "reg"), now)
			default:
				now += d.cycles(time.Duration(rapid.IntRange(0, 2000).Draw(rt, "us")) * time.Microsecond)
			}
			if s := d.Load(regControl, now); s>>4&3 < stateLast && s&0xc0 != 0 {
				rt.Fatalf("status $%02X shows data without a data state", s)
			}
			if d.cmdLen > maxCommand || d.respAt >= queueSize || d.textAt >= queueSize {
				rt.Fatalf("a pointer left its queue: %d %d %d", d.cmdLen, d.respAt, d.textAt)
			}
		}
		d.Store(regControl, ctlAbort|ctlClear, now)
		for range 30 {
			now += d.cycles(time.Second)
			d.Advance(now)
		}
		if s := d.Load(regControl, now); s != 0 {
			rt.Fatalf("status $%02X long after ABORT", s)
		}
		if d.Next() != ^uint64(0) {
			rt.Fatal("an idle device has something to do")
		}
	})
}

// TestStreamSurvivesFragmentsLagAndHoles: whatever the line does short of
// breaking, every byte arrives once and in order.
func TestStreamSurvivesFragmentsLagAndHoles(t *testing.T) {
	text := make([]byte, 3000)
	for i := range text {
		text[i] = byte(i * 7)
	}
	rapid.Check(t, func(rt *rapid.T) {
		p := newPeer(t)
		defer p.Close()
		c := newProgram(t, rapid.SampledFrom([]string{"3.10", "3.12a", "3.14", "newer"}).Draw(rt, "firmware"))
		s := c.open(p.Addr())
		peer := p.take()
		defer peer.Close()
		defer c.d.Close()
		go func() { _, _ = peer.Write(text) }()
		var got []byte
		for turn := 0; len(got) < len(text); turn++ {
			if turn > 2000 {
				rt.Fatalf("%d bytes after %d turns", len(got), turn)
			}
			switch rapid.IntRange(0, 9).Draw(rt, "weather") {
			case 0:
				c.d.Fragment(rapid.IntRange(0, 600).Draw(rt, "n"), 100*time.Microsecond)
			case 1:
				c.d.Lag(time.Duration(rapid.IntRange(0, 30).Draw(rt, "ms")) * time.Millisecond)
			case 2:
				c.d.Cut(BlackHole)
				c.pass(time.Duration(rapid.IntRange(0, 50).Draw(rt, "ms")) * time.Millisecond)
				c.d.Mend()
			}
			ask := rapid.IntRange(1, 510).Draw(rt, "ask")
			a := c.read(s, ask)
			if a.status == "02,NO DATA: 11" {
				continue
			}
			if a.status != stOK || len(a.data)-2 > ask || int(a.data[0])|int(a.data[1])<<8 != len(a.data)-2 {
				rt.Fatalf("asked for %d: %q, %d bytes, count % X", ask, a.status, len(a.data), a.data[:2])
			}
			got = append(got, a.data[2:]...)
			if !bytes.HasPrefix(text, got) {
				rt.Fatalf("the stream differs within the first %d bytes", len(got))
			}
		}
	})
}

// TestWritesArriveOnceWhateverTheLineDoes is the same in the other direction.
func TestWritesArriveOnceWhateverTheLineDoes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c, s, peer := connected(t, "3.14")
		defer peer.Close()
		defer c.d.Close()
		var sent []byte
		holed := false
		for range rapid.IntRange(1, 20).Draw(rt, "writes") {
			if rapid.Bool().Draw(rt, "switch") {
				if holed = !holed; holed {
					c.d.Cut(BlackHole)
				} else {
					c.d.Mend()
				}
			}
			b := rapid.SliceOfN(rapid.Byte(), 1, 700).Draw(rt, "bytes")
			if a := c.write(s, b); a.status != stOK || int(a.data[0])|int(a.data[1])<<8 != len(b) {
				rt.Fatalf("write of %d: %q % X", len(b), a.status, a.data)
			}
			sent = append(sent, b...)
		}
		c.d.Mend()
		hears(t, peer, string(sent))
	})
}
