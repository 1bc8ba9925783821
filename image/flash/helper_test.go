package flash_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/prompt64/prompt64/image/flash"
)

// pieces and some more, so that the last one is not whole.
const imageSize = 4<<20 + 512*3

// cardImage is an image with the mark of a boot record.
func cardImage(seed byte) []byte {
	b := make([]byte, imageSize)
	r := rand.NewChaCha8([32]byte{seed})
	_, _ = r.Read(b[:300<<10]) // the rest packs well
	b[510], b[511] = 0x55, 0xaa
	return b
}

// pack writes an image in a format.
func pack(t *testing.T, format string, image []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	var w io.WriteCloser
	var err error
	switch format {
	case "plain":
		return image
	case "gzip":
		w, err = gzip.NewWriterLevel(&out, gzip.BestSpeed)
	case "xz":
		w, err = xz.WriterConfig{DictCap: 64 << 10}.NewWriter(&out)
	case "zstd":
		w, err = zstd.NewWriter(&out)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(image); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func fileWith(t *testing.T, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "image")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// looked is an image in a plain file.
func looked(t *testing.T, content []byte) flash.Image {
	t.Helper()
	image, err := flash.Look(t.Context(), fileWith(t, content), nil)
	if err != nil {
		t.Fatal(err)
	}
	return image
}

// card is a device in memory with faults.
type card struct {
	data    []byte
	writes  int
	synced  []byte // what a loss of power would leave
	onWrite func(n int, p []byte, off int64) (int, error)
	onRead  func(p []byte, off int64) (int, error)
	onSync  func() error
}

func newCard(size int) *card {
	c := &card{data: make([]byte, size)}
	for i := range c.data {
		c.data[i] = 0xee // what was on it before
	}
	c.synced = bytes.Clone(c.data)
	return c
}

func (c *card) Size() int64 { return int64(len(c.data)) }

func (c *card) WriteAt(p []byte, off int64) (int, error) {
	c.writes++
	if c.onWrite != nil {
		if n, err := c.onWrite(c.writes, p, off); err != nil || n < len(p) {
			return copy(c.data[off:], p[:n]), err
		}
	}
	if off+int64(len(p)) > int64(len(c.data)) {
		return copy(c.data[off:], p), io.ErrShortWrite
	}
	return copy(c.data[off:], p), nil
}

func (c *card) ReadAt(p []byte, off int64) (int, error) {
	if c.onRead != nil {
		if n, err := c.onRead(p, off); n >= 0 {
			return n, err
		}
	}
	return bytes.NewReader(c.data).ReadAt(p, off)
}

func (c *card) Sync() error {
	if c.onSync != nil {
		if err := c.onSync(); err != nil {
			return err
		}
	}
	c.synced = bytes.Clone(c.data)
	return nil
}

func (c *card) Forget() error { return nil }
func (c *card) Close() error  { return nil }

// starts reports whether a computer would take this for a card to start from.
func starts(data []byte) bool { return data[510] == 0x55 && data[511] == 0xaa }

func write(ctx context.Context, image flash.Image, d flash.Device) (flash.State, error) {
	return (&flash.Flasher{Image: image, Device: d}).Write(ctx)
}
