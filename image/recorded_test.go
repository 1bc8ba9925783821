package image

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"github.com/prompt64/prompt64/appliance/update"
	"github.com/prompt64/prompt64/appliance/update/push"
	"github.com/prompt64/prompt64/image/nbd"
)

// recorded is one good update as the card saw it: what was on the card, and all that
// was done to it from the start of the old version to the second start of the new one.
type recorded struct {
	card  string
	parts map[int]nbd.Part
	Log   *nbd.Log
	Began int64 // how many bytes were written before the bundle was sent
}

var recording sync.Mutex

// recordedUpdate plays the update once and keeps what it recorded, beside the images.
func recordedUpdate(t *testing.T) recorded {
	t.Helper()
	recording.Lock()
	defer recording.Unlock()
	file := filepath.Join(workshop(), "update.log")
	r := recorded{card: filepath.Join(workshop(), "in-use.img")}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		r.record(t)
		keep(t, file, r)
	} else {
		if err == nil {
			defer f.Close()
			err = gob.NewDecoder(f).Decode(&r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	r.parts = parts(t, r.card)
	flushes := 0
	for _, s := range r.Log.Steps {
		if s.Flush {
			flushes++
		}
	}
	t.Logf("the update is %d steps, %d of them flushes", len(r.Log.Steps), flushes)
	return r
}

func keep(t *testing.T, file string, r recorded) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(gob.NewEncoder(f).Encode(r), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// record lets an owner set a device up, and then update it.
func (r *recorded) record(t *testing.T) {
	t.Helper()
	ctx := within(t, 3*patience)
	d := start(t, copyImage(t, releaseOf(t, oldVersion).image), nbd.Fault{After: -1}, "")
	d.ready(t, ctx)
	writeKept(t, ctx, d)
	if err := d.Stop(); err != nil {
		t.Fatal(err)
	}
	if permFile(t, checkPerm(t, d.card), samplePath) == "" {
		t.Error("the plug was pulled soon after the first start, and the sample is empty for ever")
	}
	if err := os.Rename(copyImage(t, d.card), r.card); err != nil {
		t.Fatal(err)
	}
	d = start(t, d.card, nbd.Fault{After: -1}, "")
	var err error
	if r.Log, err = d.Disk().Record(); err != nil {
		t.Fatal(err)
	}
	d.rest(t, ctx)
	r.Began, _ = d.Disk().Written()
	if err := push.Run(ctx, d.options(t, releaseOf(t, newVersion).bundle)); err != nil {
		t.Fatal(err)
	}
	d.stop(t, newVersion)
}

// whole is all of the card.
func (r recorded) whole() nbd.Part { return nbd.Part{To: cardSize} }

var phaseRecorded = regexp.MustCompile(`"phase": "([a-z ]+)"`)

// begins is the first step that writes down a phase; none: the bundle is sent.
func (r recorded) begins(t *testing.T, phase update.Phase) int {
	t.Helper()
	began := r.Log.After(0, r.whole(), r.Began).Steps
	if phase == "" {
		return began
	}
	for i, s := range r.Log.Steps[began:] {
		if r.parts[permPart].From > s.At {
			continue
		}
		for _, m := range phaseRecorded.FindAllSubmatch(s.Data, -1) {
			if update.Phase(m[1]) == phase {
				return began + i
			}
		}
	}
	t.Fatalf("the update never wrote down that it is %q", phase)
	return 0
}

// replay makes the card of a power failure.
func (r recorded) replay(t *testing.T, m nbd.Moment, f nbd.Fault) string {
	t.Helper()
	card := copyImage(t, r.card)
	disk, err := os.OpenFile(card, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Log.Replay(disk, m, f), disk.Close()); err != nil {
		t.Fatal(err)
	}
	return card
}

// print is the same for power failures that leave the same card.
func (r recorded) print(m nbd.Moment, f nbd.Fault) string {
	h := sha256.New()
	durable := r.Log.Durable(m)
	for durable > 0 && r.Log.Steps[durable-1].Flush { // flushes change nothing
		durable--
	}
	fmt.Fprintln(h, durable)
	for _, s := range r.Log.Left(m, f) {
		_ = binary.Write(h, binary.LittleEndian, []int64{s.At, int64(len(s.Data))})
		h.Write(s.Data)
	}
	return string(h.Sum(nil))
}
