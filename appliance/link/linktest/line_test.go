package linktest

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/link"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// both opens the two ends.
func both(t *testing.T, l *Line) (bridge, c64 link.Port) {
	t.Helper()
	bridge, err := l.Open("/dev/ttyUSB0", l.baud)
	if err != nil {
		t.Fatal(err)
	}
	return bridge, l.C64()
}

func pull(t *testing.T, p link.Port, n int) []byte {
	t.Helper()
	var out []byte
	buf := make([]byte, n)
	for len(out) < n {
		k, err := p.Read(buf[:n-len(out)])
		if err != nil {
			t.Fatalf("after %d bytes: %v", len(out), err)
		}
		out = append(out, buf[:k]...)
	}
	return out
}

func TestLineTakesTheTimeOfItsSpeed(t *testing.T) {
	for slow := 1; slow <= 2; slow++ {
		synctest.Test(t, func(t *testing.T) {
			l := NewLine(9600, 1)
			l.Slow(slow)
			bridge, c64 := both(t, l)
			start := time.Now()
			if _, err := bridge.Write(make([]byte, 960)); err != nil {
				t.Fatal(err)
			}
			pull(t, c64, 960)
			want := time.Duration(slow) * time.Second
			if took := time.Since(start); took < want || took > want+2*time.Millisecond {
				t.Errorf("960 bytes took %v", took)
			}
		})
	}
}

func TestHeldLineKeepsItsBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLine(9600, 1)
		bridge, c64 := both(t, l)
		l.Hold(true)
		_, _ = bridge.Write([]byte("abc"))
		time.Sleep(time.Hour)
		if n, _ := bridge.(interface{ Queued() (int, error) }).Queued(); n != 3 {
			t.Errorf("%d bytes wait", n)
		}
		l.Hold(false)
		if got := pull(t, c64, 3); string(got) != "abc" {
			t.Errorf("%q", got)
		}
	})
}

func TestWriteInFrontOfAFullBufferWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLine(9600, 1)
		bridge, c64 := both(t, l)
		done := make(chan int)
		go func() {
			n, _ := bridge.Write(make([]byte, 2*sendBuffer))
			done <- n
		}()
		time.Sleep(time.Second)
		select {
		case <-done:
			t.Error("a buffer of 4096 took 8192 in a second")
		default:
		}
		pull(t, c64, 2*sendBuffer)
		if n := <-done; n != 2*sendBuffer {
			t.Errorf("%d bytes", n)
		}
	})
}

func TestUnpluggedEndFailsAndASilentOneHears(t *testing.T) {
	for _, silent := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			l := NewLine(9600, 1)
			bridge, c64 := both(t, l)
			ended := make(chan error, 1)
			go func() {
				_, err := bridge.Read(make([]byte, 1))
				ended <- err
			}()
			synctest.Wait()
			l.Unplug(silent)
			_, _ = c64.Write([]byte("lost"))
			time.Sleep(time.Second)
			if devices, _ := l.List(); len(devices) != 0 {
				t.Errorf("still listed: %v", devices)
			}
			if _, err := l.Open("/dev/ttyUSB0", 9600); err == nil {
				t.Error("it was opened")
			}
			select {
			case err := <-ended:
				if silent || err == nil {
					t.Errorf("silent %v: %v", silent, err)
				}
			default:
				if !silent {
					t.Error("the open port did not notice")
				}
			}
			_ = bridge.Close()
			l.Plug("/dev/ttyUSB5", "X")
			again, err := l.Open("/dev/ttyUSB5", 9600)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = c64.Write([]byte("b"))
			if got := pull(t, again, 1); string(got) != "b" {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestFaultsComeAsOftenAsTheyShould(t *testing.T) {
	const n = 100_000
	r := rand.New(rand.NewPCG(1, 1))
	count := func(f Faults, is func(out []byte) bool) (hits int) {
		for range n {
			if is(f.apply(r, 'A')) {
				hits++
			}
		}
		return hits
	}
	for name, hits := range map[string]int{
		"flip":   count(Faults{Flip: 0.1}, func(b []byte) bool { return len(b) == 1 && b[0] != 'A' }),
		"lose":   count(Faults{Lose: 0.1}, func(b []byte) bool { return len(b) == 0 }),
		"double": count(Faults{Double: 0.1}, func(b []byte) bool { return string(b) == "AA" }),
		"insert": count(Faults{Insert: 0.1}, func(b []byte) bool { return len(b) == 2 && b[1] == 'A' }),
	} {
		if hits < n/10*9/10 || hits > n/10*11/10 {
			t.Errorf("%s: %d of %d", name, hits, n)
		}
	}
	if count(Faults{}, func(b []byte) bool { return string(b) == "A" }) != n {
		t.Error("a good line is not")
	}
}

func TestResamplingIsWhatAUARTDoes(t *testing.T) {
	text := []byte("SAME SPEED")
	if !bytes.Equal(Resample(text, 9600, 9600), text) {
		t.Error("at the same speed")
	}
	// A receiver a little off reads right; that is what a stop bit is for.
	if got := Resample(text, 38400, 39000); !bytes.Equal(got, text) {
		t.Errorf("2 %% off: %q", got)
	}
	// At a quarter of the speed U is a square wave of which every fourth bit shows.
	for _, speeds := range [][2]int{{38400, 9600}, {9600, 38400}, {38400, 19200}} {
		if got := Resample(text, speeds[0], speeds[1]); bytes.Equal(got, text) || len(got) == 0 {
			t.Errorf("%v: %q", speeds, got)
		}
	}
	// At four times the speed a 0 bit, like the start bit, is a byte's begin.
	if got := Resample([]byte{0}, 9600, 38400); len(got) < 2 {
		t.Errorf("% x", got)
	}
}
