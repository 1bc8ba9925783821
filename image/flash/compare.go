package flash

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
)

// compare reads the card past the cache and compares it with what was written.
func (f *Flasher) compare(ctx context.Context) error {
	if err := f.Device.Forget(); err != nil {
		return fmt.Errorf("read card back: its cache cannot be put aside: %w", err)
	}
	buf := alignedBuffer(pieceSize)
	for i, want := range f.sums {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		off := int64(i) * pieceSize
		b := buf[:min(pieceSize, f.Image.Size-off)]
		if err := readFull(f.Device, b, off); err != nil {
			f.state = Bad
			return fmt.Errorf("read card back at byte %d: %s (%w)", off, why(err), err)
		}
		if sha256.Sum256(b) != want {
			f.state = Bad
			return fmt.Errorf("read card back: between bytes %d and %d it is not what was written", off, off+int64(len(b))-1)
		}
		f.Progress.show(Reading, off+int64(len(b)), f.Image.Size)
	}
	f.state = Good
	return nil
}

// readFull reads all of b; a card that gives less than it should has no more.
func readFull(r io.ReaderAt, b []byte, off int64) error {
	n, err := r.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
