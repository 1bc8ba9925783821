package flash

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// Image is a file with an image, plain or packed.
type Image struct {
	Path   string
	Format string // "plain", "gzip", "xz" or "zstd"
	Size   int64  // of the image, unpacked
	sum    [sha256.Size]byte
}

// Look reads an image to its end and reports what is wrong with it.
func Look(ctx context.Context, path string, progress Progress) (Image, error) {
	in := Image{Path: path}
	r, err := in.open()
	if err != nil {
		return in, err
	}
	defer r.Close()
	in.Format = r.format
	sum := sha256.New()
	buf := make([]byte, pieceSize)
	for {
		if ctx.Err() != nil {
			return in, context.Cause(ctx)
		}
		n, err := io.ReadFull(r, buf)
		if in.Size == 0 && !isCard(buf[:n]) {
			return in, fmt.Errorf("read %s: this is not the image of a card: it has no boot record", path)
		}
		sum.Write(buf[:n])
		in.Size += int64(n)
		progress.show(Looking, r.packedRead(), r.packed)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) && r.ended {
			break
		}
		if err != nil {
			return in, fmt.Errorf("read %s: the file is damaged or not complete: %w", path, err)
		}
	}
	sum.Sum(in.sum[:0])
	if in.Size%sector != 0 {
		return in, fmt.Errorf("read %s: %d bytes are no whole number of sectors: the file is not complete", path, in.Size)
	}
	return in, nil
}

// isCard looks for the mark at the end of a boot record.
func isCard(b []byte) bool { return len(b) >= sector && b[510] == 0x55 && b[511] == 0xaa }

// reader gives an image unpacked.
type reader struct {
	file   *os.File
	counts *counter
	unpack io.Reader
	close  func()
	format string
	packed int64 // the file's size
	ended  bool  // the last error was a clean end
}

// counter counts what was read of a file.
type counter struct {
	io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// open begins to read an image; the first bytes say how it is packed.
func (i Image) open() (*reader, error) {
	f, err := os.Open(i.Path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("read %s: this is not a file with an image", i.Path)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	r := &reader{file: f, counts: &counter{Reader: f}, packed: info.Size(), close: func() {}}
	if err := r.detect(); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("read %s: %w", i.Path, err)
	}
	return r, nil
}

func (r *reader) detect() error {
	in := bufio.NewReaderSize(r.counts, 1<<20)
	head, err := in.Peek(6)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		r.format = "zstd"
		d, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(512<<20))
		if err != nil {
			return err
		}
		r.unpack, r.close = d, d.Close
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		r.format = "gzip"
		if r.unpack, err = gzip.NewReader(in); err != nil {
			return err
		}
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		r.format = "xz"
		if r.unpack, err = xz.NewReader(in); err != nil {
			return err
		}
	default:
		r.format, r.unpack = "plain", in
	}
	return nil
}

// Read notes whether the end is a clean one.
func (r *reader) Read(p []byte) (int, error) {
	n, err := r.unpack.Read(p)
	r.ended = errors.Is(err, io.EOF)
	return n, err
}

func (r *reader) packedRead() int64 { return r.counts.n }

// Close ends it.
func (r *reader) Close() error {
	r.close()
	return r.file.Close()
}
