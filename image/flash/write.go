package flash

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
)

// Flasher writes one image to one device.
type Flasher struct {
	Image    Image
	Device   Device
	Progress Progress

	sums  [][sha256.Size]byte // of the pieces
	state State
}

// Write writes the image and reads it back. The state is what the card is worth
// afterwards, whatever the error.
func (f *Flasher) Write(ctx context.Context) (State, error) {
	f.state = Untouched
	err := f.write(ctx)
	if err == nil {
		f.state = Unchecked
		err = f.compare(ctx)
	}
	return f.state, err
}

func (f *Flasher) write(ctx context.Context) error {
	in, err := f.Image.open()
	if err != nil {
		return err
	}
	defer in.Close()
	buf := alignedBuffer(pieceSize)
	head := alignedBuffer(pieceSize)
	whole := sha256.New()
	n, err := f.piece(in, head, whole)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	f.state = Half
	if err := f.wipe(buf); err != nil {
		return err
	}
	size := int64(n)
	for n == pieceSize {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if n, err = f.piece(in, buf, whole); err != nil {
			return err
		}
		if err := f.put(buf[:n], size); err != nil {
			return err
		}
		size += int64(n)
		f.Progress.show(Writing, size, f.Image.Size)
	}
	if size != f.Image.Size || [sha256.Size]byte(whole.Sum(nil)) != f.Image.sum {
		return fmt.Errorf("write %s: the file was changed meanwhile: leave it alone, and write again", f.Image.Path)
	}
	if err := f.sync(); err != nil {
		return err
	}
	// Only now does it become a card that starts.
	if err := f.put(head[:min(pieceSize, size)], 0); err != nil {
		return err
	}
	return f.sync()
}

// piece reads the next piece of the image.
func (f *Flasher) piece(in *reader, buf []byte, whole hash.Hash) (int, error) {
	n, err := io.ReadFull(in, buf)
	if err != nil && !errors.Is(err, io.EOF) && !(errors.Is(err, io.ErrUnexpectedEOF) && in.ended) {
		return 0, fmt.Errorf("read %s: %w", f.Image.Path, err)
	}
	if n%sector != 0 {
		return 0, fmt.Errorf("read %s: the file was changed meanwhile: leave it alone, and write again", f.Image.Path)
	}
	if n > 0 {
		whole.Write(buf[:n])
		f.sums = append(f.sums, sha256.Sum256(buf[:n]))
	}
	return n, nil
}

// wipe takes the old partition tables away, at both ends.
func (f *Flasher) wipe(buf []byte) error {
	zero := buf[:wiped]
	clear(zero)
	if err := f.put(zero[:min(wiped, f.Image.Size)], 0); err != nil {
		return err
	}
	if end := (f.Device.Size() - wiped) / sector * sector; end >= f.Image.Size {
		if err := f.put(zero, end); err != nil {
			return err
		}
	}
	return f.sync()
}

func (f *Flasher) put(b []byte, off int64) error {
	n, err := f.Device.WriteAt(b, off)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return fmt.Errorf("write card at byte %d: %s (%w)", off+int64(max(n, 0)), why(err), err)
	}
	return nil
}

func (f *Flasher) sync() error {
	f.Progress.show(Flush, 0, 0)
	if err := f.Device.Sync(); err != nil {
		return fmt.Errorf("write card: %s (%w)", why(err), err)
	}
	return nil
}
