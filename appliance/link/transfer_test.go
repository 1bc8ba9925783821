package link_test

import (
	"errors"
	"io"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/prompt64/prompt64/appliance/link"
	"github.com/prompt64/prompt64/appliance/link/linktest"
)

// bubble runs a test on a line whose time is not real.
func bubble(t *testing.T, baud int, f func(t *testing.T, d *desk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, baud, 1)
		defer d.close()
		f(t, d)
	})
}

// bothWays transfers n bytes in each direction at once.
func bothWays(t *testing.T, c *linktest.C64, b *link.Conn, n int) {
	t.Helper()
	var both sync.WaitGroup
	both.Go(func() { transfer(t, c, b, noise(1, n)) })
	both.Go(func() { transfer(t, b, c, noise(2, n)) })
	both.Wait()
}

func TestBytesArriveOnceAndInOrderAtEverySpeed(t *testing.T) {
	for _, baud := range link.Bauds() {
		bubble(t, baud, func(t *testing.T, d *desk) {
			c, b := d.dial(linktest.Config{})
			bothWays(t, c, b, 5000)
			if got := b.Acknowledged(); got < 5000-256 || got > 5000 {
				t.Errorf("%d: %d bytes acknowledged", baud, got)
			}
		})
	}
}

func TestAcknowledgedCountsWhatTheC64Holds(t *testing.T) {
	bubble(t, 38400, func(t *testing.T, d *desk) {
		c, b := d.dial(linktest.Config{Buffer: 200})
		if _, err := b.Write(make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		if got := b.Acknowledged(); got != 128 { // a second DATA found no room
			t.Errorf("%d bytes acknowledged, the C64 has room for 128", got)
		}
		if _, err := io.ReadFull(c, make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if got := b.Acknowledged(); got != 1000 {
			t.Errorf("%d bytes acknowledged", got)
		}
	})
}

func TestThreeQuartersOfTheLineArePayload(t *testing.T) {
	bubble(t, 38400, func(t *testing.T, d *desk) {
		c, b := d.dial(linktest.Config{Buffer: 1024})
		const n = 20 << 10
		start := time.Now()
		transfer(t, b, c, noise(3, n))
		if rate := n / time.Since(start).Seconds(); rate < 3840*0.75 {
			t.Errorf("%.0f bytes a second", rate)
		}
	})
}

// A C64 that scrolls takes one line at a time, and the bridge must neither lose
// a byte nor take it for dead, nor fill the line with what it knows to be there.
func TestBurstIntoASlowReaderLosesNothing(t *testing.T) {
	bubble(t, 38400, func(t *testing.T, d *desk) {
		c, b := d.dial(linktest.Config{})
		burst := noise(4, 20<<10)
		sent := make(chan error, 1)
		go func() {
			_, err := b.Write(burst)
			sent <- err
		}()
		got := make([]byte, 0, len(burst))
		buf := make([]byte, 40)
		for len(got) < len(burst) {
			time.Sleep(40 * time.Millisecond) // 1 KB/s
			n, err := c.Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, buf[:n]...)
		}
		if err := <-sent; err != nil {
			t.Fatal(err)
		}
		if string(got) != string(burst) {
			t.Error("other bytes arrived")
		}
		_, wire := d.line.Sent()
		t.Logf("%d bytes on the wire", wire)
		if wire > uint64(len(burst))*2 {
			t.Errorf("%d bytes on the wire for %d", wire, len(burst))
		}
	})
}

func TestReaderThatStopsForMinutesIsNotLost(t *testing.T) {
	bubble(t, 38400, func(t *testing.T, d *desk) {
		c, b := d.dial(linktest.Config{})
		done := make(chan struct{})
		go func() {
			defer close(done)
			transfer(t, b, c, noise(5, 600))
		}()
		bothWaysLater := noise(6, 4000) // more than both buffers: the bridge says WAIT
		go func() { _, _ = c.Write(bothWaysLater) }()
		<-done
		time.Sleep(3 * time.Minute) // nobody reads b
		got := make([]byte, len(bothWaysLater))
		if _, err := io.ReadFull(b, got); err != nil || string(got) != string(bothWaysLater) {
			t.Errorf("after the pause: %v", err)
		}
	})
}

func TestWriteDeadlineEndsAWriteThatTheC64DoesNotTake(t *testing.T) {
	bubble(t, 38400, func(t *testing.T, d *desk) {
		_, b := d.dial(linktest.Config{})
		d.line.Hold(true)
		_ = b.SetWriteDeadline(time.Now().Add(2 * time.Second))
		if _, err := b.Write(make([]byte, 5000)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%v", err)
		}
		d.line.Hold(false)
	})
}

// While the C64 holds its RTS the kernel takes bytes and sends none. What is
// there already must not be given to it again and again.
func TestHeldLineIsNotFilledWithTheSameBytes(t *testing.T) {
	bubble(t, 38400, func(t *testing.T, d *desk) {
		c, b := d.dial(linktest.Config{Buffer: 4096})
		_, before := d.line.Sent()
		d.line.Hold(true)
		if _, err := b.Write(noise(7, 256)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(12 * time.Second)
		d.line.Hold(false)
		if _, err := io.ReadFull(c, make([]byte, 256)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		if _, after := d.line.Sent(); after-before > 2*256*5/4 {
			t.Errorf("%d bytes went out for 256", after-before)
		}
	})
}

// Exactly the bytes, in order, whatever the line does to them.
func TestModelOfTheLine(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		level := rapid.Float64Range(0, 0.0006)
		faults := linktest.Faults{
			Flip: level.Draw(rt, "flip"), Lose: level.Draw(rt, "lose"),
			Double: level.Draw(rt, "double"), Insert: level.Draw(rt, "insert"),
		}
		baud := rapid.SampledFrom([]int{9600, 38400, 115200}).Draw(rt, "baud")
		seed := rapid.Uint64().Draw(rt, "seed")
		buffer := rapid.IntRange(link.MaxData, 1024).Draw(rt, "buffer")
		slow := rapid.IntRange(1, 2).Draw(rt, "slow")
		events := rapid.SliceOfN(rapid.SampledFrom([]string{"cut", "hold", "unplug", "silent unplug", "echo", "pause"}), 0, 3).Draw(rt, "events")
		synctest.Test(t, func(t *testing.T) {
			d := newDesk(t, baud, seed)
			defer d.close()
			c, b := d.dial(linktest.Config{Buffer: buffer})
			d.line.Slow(slow)
			d.line.Fault(faults)
			done := make(chan struct{})
			go func() {
				defer close(done)
				bothWays(t, c, b, 3000)
			}()
			for _, e := range events {
				time.Sleep(700 * time.Millisecond)
				happen(d.line, e)
			}
			<-done
			d.line.Fault(linktest.Faults{})
		})
		if t.Failed() {
			rt.Fatalf("see above")
		}
	})
}

// happen is something that passes and that a connection survives.
func happen(l *linktest.Line, event string) {
	const passes = 3 * time.Second
	switch event {
	case "cut":
		l.Cut(true)
		defer l.Cut(false)
	case "hold":
		l.Hold(true)
		defer l.Hold(false)
	case "unplug", "silent unplug":
		l.Unplug(event == "silent unplug")
		defer l.Plug("/dev/ttyUSB7", "P64-1")
	case "echo":
		l.Echo(true)
		defer l.Echo(false)
	}
	time.Sleep(passes)
}
