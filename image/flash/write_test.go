package flash_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/prompt64/prompt64/image/flash"
)

func TestEveryFormatArrivesAndIsReadBack(t *testing.T) {
	want := cardImage(1)
	for _, format := range []string{"plain", "gzip", "xz", "zstd"} {
		t.Run(format, func(t *testing.T) {
			steps := map[flash.Step]int64{}
			progress := func(s flash.Step, done, total int64) {
				if done > total || done < steps[s] {
					t.Errorf("%s: %d of %d", s, done, total)
				}
				steps[s] = done
			}
			image, err := flash.Look(t.Context(), fileWith(t, pack(t, format, want)), progress)
			if err != nil || image.Format != format || image.Size != imageSize {
				t.Fatalf("%+v, %v", image, err)
			}
			path := filepath.Join(t.TempDir(), "card")
			disk, err := flash.Inspect(path)
			if err != nil || !disk.New || disk.Refusal(image.Size, flash.Allow{}) != nil {
				t.Fatalf("%+v, %v", disk, err)
			}
			device, err := flash.Open(disk)
			if err != nil {
				t.Fatal(err)
			}
			state, err := (&flash.Flasher{Image: image, Device: device, Progress: progress}).Write(t.Context())
			if err != nil || state != flash.Good || device.Close() != nil {
				t.Errorf("%s, %v", state, err)
			}
			got, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes arrived, %v", len(got), err)
			}
			if steps[flash.Writing] != imageSize || steps[flash.Reading] != imageSize || steps[flash.Looking] == 0 {
				t.Errorf("the steps ended at %v", steps)
			}
		})
	}
}

func TestBrokenImageIsFoundBeforeAnythingIsErased(t *testing.T) {
	whole := cardImage(2)
	for name, content := range map[string][]byte{
		"nothing":           nil,
		"text":              []byte("404 not found"),
		"no boot record":    make([]byte, 4096),
		"not whole sectors": whole[:imageSize-1],
		"gzip cut":          half(pack(t, "gzip", whole)),
		"xz cut":            half(pack(t, "xz", whole)),
		"zstd cut":          half(pack(t, "zstd", whole)),
		"zstd damaged":      flipped(pack(t, "zstd", whole), 100<<10),
		"gzip damaged":      flipped(pack(t, "gzip", whole), -6),
	} {
		if image, err := flash.Look(t.Context(), fileWith(t, content), nil); err == nil {
			t.Errorf("%s was taken: %+v", name, image)
		}
	}
	if _, err := flash.Look(t.Context(), t.TempDir(), nil); err == nil {
		t.Error("a folder was taken")
	}
}

func half(b []byte) []byte { return b[:len(b)/2] }

func flipped(b []byte, at int) []byte {
	if at < 0 {
		at += len(b)
	}
	b[at] ^= 0x10
	return b
}

// Whatever write fails, and whatever of it the card keeps, it is told that the card is
// half-written, and the card itself does not look like a whole one.
func TestHalfWrittenCardIsSaidAndStartsNothing(t *testing.T) {
	image := looked(t, cardImage(3))
	whole := newCard(8 << 20)
	if state, err := write(t.Context(), image, whole); state != flash.Good || err != nil {
		t.Fatal(state, err)
	}
	for n := 1; n <= whole.writes; n++ {
		for name, fault := range map[string]struct {
			n   int
			err error
		}{
			"gone":        {0, syscall.ENODEV},
			"broken":      {512, syscall.EIO},
			"short write": {1024, nil},
			"full":        {0, syscall.ENOSPC},
		} {
			c := newCard(8 << 20)
			c.onWrite = func(at int, p []byte, _ int64) (int, error) {
				if at == n {
					return fault.n, fault.err
				}
				return len(p), nil
			}
			state, err := write(t.Context(), image, c)
			if state != flash.Half || err == nil || fault.err != nil && !errors.Is(err, fault.err) {
				t.Errorf("write %d, %s: %s, %v", n, name, state, err)
			}
			last := n == whole.writes // that of the boot record itself
			if !last && starts(c.data) {
				t.Errorf("write %d, %s: the card starts a computer", n, name)
			}
			if strings.Contains(err.Error(), "byte") && !strings.Contains(err.Error(), ":") {
				t.Errorf("%v says no reason", err)
			}
		}
	}
}

// Without power the card has what was synced.
func TestCardIsNoCardUntilAllOfItIsSynced(t *testing.T) {
	want := cardImage(4)
	image := looked(t, want)
	c := newCard(8 << 20)
	c.onSync = func() error {
		if starts(c.data) && !bytes.Equal(c.synced[2<<20:imageSize], want[2<<20:]) {
			t.Error("its boot record is there before the rest is")
		}
		return nil
	}
	if state, err := write(t.Context(), image, c); state != flash.Good || err != nil {
		t.Errorf("%s, %v", state, err)
	}
	c = newCard(8 << 20)
	c.onSync = func() error { return syscall.EIO }
	if state, err := write(t.Context(), image, c); state != flash.Half || err == nil {
		t.Errorf("%s, %v", state, err)
	}
}

func TestOldPartitionTablesAreGoneAtBothEnds(t *testing.T) {
	c := newCard(8 << 20)
	if _, err := write(t.Context(), looked(t, cardImage(5)), c); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(c.data[8<<20-256<<10:], []byte{0xee}) {
		t.Error("the end of the card is as it was")
	}
	if c.data[6<<20] != 0xee {
		t.Error("more was erased than is needed")
	}
}

func TestWhatComesBackWrongMakesTheCardBad(t *testing.T) {
	image := looked(t, cardImage(6))
	for name, onRead := range map[string]func(c *card) func(p []byte, off int64) (int, error){
		"one bit": func(c *card) func([]byte, int64) (int, error) {
			return func(p []byte, off int64) (int, error) {
				n := copy(p, c.data[off:])
				if off <= 3<<20 && off+int64(n) > 3<<20 {
					p[3<<20-off] ^= 1
				}
				return n, nil
			}
		},
		"less": func(*card) func([]byte, int64) (int, error) {
			return func(p []byte, off int64) (int, error) { return len(p) - 512, io.EOF }
		},
		"gone": func(*card) func([]byte, int64) (int, error) {
			return func([]byte, int64) (int, error) { return 0, syscall.ENXIO }
		},
	} {
		c := newCard(8 << 20)
		c.onRead = onRead(c)
		state, err := write(t.Context(), image, c)
		if state != flash.Bad || err == nil {
			t.Errorf("%s: %s, %v", name, state, err)
		}
		if name == "one bit" && !strings.Contains(err.Error(), "2097152 and 4194303") {
			t.Errorf("it does not say where: %v", err)
		}
	}
}

func TestImageThatChangesMeanwhileNeverBecomesACard(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, path string){
		"shrinks": func(t *testing.T, path string) {
			if err := os.Truncate(path, 3<<20); err != nil {
				t.Fatal(err)
			}
		},
		"shrinks within a sector": func(t *testing.T, path string) {
			if err := os.Truncate(path, 3<<20+100); err != nil {
				t.Fatal(err)
			}
		},
		"is another": func(t *testing.T, path string) {
			if err := os.WriteFile(path, cardImage(99), 0o600); err != nil {
				t.Fatal(err)
			}
		},
	} {
		image := looked(t, cardImage(7))
		change(t, image.Path)
		c := newCard(8 << 20)
		if state, err := write(t.Context(), image, c); state != flash.Half || err == nil || starts(c.data) {
			t.Errorf("%s: %s, %v", name, state, err)
		}
	}
}

func TestInterruptionSaysWhatTheCardIsWorth(t *testing.T) {
	image := looked(t, cardImage(8))
	stop := errors.New("stop")
	for at, want := range map[int]flash.State{0: flash.Untouched, 3: flash.Half} {
		ctx, cancel := context.WithCancelCause(t.Context())
		c := newCard(8 << 20)
		c.onWrite = func(n int, p []byte, _ int64) (int, error) {
			if n == at {
				cancel(stop)
			}
			return len(p), nil
		}
		if at == 0 {
			cancel(stop)
		}
		if state, err := write(ctx, image, c); state != want || !errors.Is(err, stop) {
			t.Errorf("at write %d: %s, %v", at, state, err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	c := newCard(8 << 20)
	c.onRead = func([]byte, int64) (int, error) { cancel(stop); return -1, nil }
	if state, err := write(ctx, image, c); state != flash.Unchecked || !errors.Is(err, stop) {
		t.Errorf("while it is read back: %s, %v", state, err)
	}
	for _, s := range []flash.State{flash.Untouched, flash.Half, flash.Unchecked, flash.Bad, flash.Good} {
		if s.Words() == flash.State("").Words() {
			t.Errorf("%s has no words", s)
		}
	}
}
