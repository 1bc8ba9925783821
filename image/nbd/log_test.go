package nbd

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"pgregory.net/rapid"
)

// A replay to any byte of a recorded disk is what that disk would have held, had its
// power failed there.
func TestReplayIsTheDiskWhosePowerFailed(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		const sectors = 16
		var steps []Step
		var total int64
		for i := range rapid.IntRange(1, 30).Draw(r, "steps") {
			from := rapid.IntRange(0, sectors-1).Draw(r, "from")
			n := rapid.IntRange(0, sectors-from).Draw(r, "n") // 0: a flush
			steps = append(steps, Step{At: int64(from * sector), Data: bytes.Repeat([]byte{byte(i + 1)}, n*sector), Flush: n == 0})
			total += int64(n * sector)
		}
		d, start := open(t, Fault{After: -1})
		log, err := d.Record()
		must(t, err)
		play(r, d, steps)
		must(t, d.Close())
		must(t, os.WriteFile(start, make([]byte, size), 0o600))

		f := Fault{
			After: rapid.Int64Range(0, total).Draw(r, "after"), Policy: Policy(rapid.IntRange(0, 2).Draw(r, "policy")),
			Seed: rapid.Uint64().Draw(r, "seed"),
		}
		failing, want := open(t, f)
		play(r, failing, steps)
		must(t, failing.Fail()) // if it did not
		m := log.After(0, Part{0, size}, f.After)
		disk, err := os.OpenFile(start, os.O_RDWR, 0)
		must(t, err)
		defer disk.Close()
		must(t, log.Replay(disk, m, f))
		if a, b := read(t, start), read(t, want); !bytes.Equal(a, b) {
			r.Errorf("replayed to %+v, of %d steps, it is another disk", m, len(steps))
		}
	})
}

// play does the steps until the power fails.
func play(r *rapid.T, d *Disk, steps []Step) {
	for _, s := range steps {
		var err error
		if s.Flush {
			err = d.Sync()
		} else {
			_, err = d.WriteAt(s.Data, s.At)
		}
		if errors.Is(err, ErrPower) {
			return
		}
		if err != nil {
			r.Fatal(err)
		}
	}
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	must(t, err)
	return b
}

func TestMomentCountsTheBytesOfAPart(t *testing.T) {
	l := Log{Steps: []Step{{At: 90, Data: make([]byte, 20)}, {Flush: true}, {At: 0, Data: make([]byte, 5)}, {At: 100, Data: make([]byte, 20)}}}
	part := Part{From: 100, To: 200}
	for bytes, want := range map[int64]Moment{0: {0, 10}, 9: {0, 19}, 10: {3, 0}, 15: {3, 5}, 30: {4, 0}, 99: {4, 0}} {
		if got := l.After(0, part, bytes); got != want {
			t.Errorf("after %d bytes: %v, want %v", bytes, got, want)
		}
	}
	if got := l.After(1, part, 3); got != (Moment{3, 3}) {
		t.Errorf("after 3 bytes of the second step: %v", got)
	}
	if got := l.Written(0, 3, part); got != 10 {
		t.Errorf("%d bytes were written", got)
	}
	if a, b := l.Durable(Moment{1, 0}), l.Durable(Moment{3, 2}); a != 0 || b != 2 {
		t.Errorf("%d and %d steps are durable", a, b)
	}
}

func TestRecordWantsEverything(t *testing.T) {
	d, _ := open(t, Fault{After: -1})
	put(t, d, 0, "too early")
	if _, err := d.Record(); err == nil {
		t.Error("a log without the first write was begun")
	}
}
