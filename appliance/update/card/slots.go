package card

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/prompt64/prompt64/appliance/update"
)

// spare is how much of the data folder's partition stays free.
const spare = 32 << 20

// Spool implements update.System.
func (c *Card) Spool(r io.Reader, limit int64) (err error) {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return fmt.Errorf("store the update: %w", err)
	}
	if err := c.DropSpool(); err != nil {
		return fmt.Errorf("store the update: %w", err)
	}
	free, err := freeSpace(c.dir)
	if err != nil {
		return fmt.Errorf("store the update: %w", err)
	}
	if limit > free-spare {
		return fmt.Errorf("the update has %d MB, and the card has room for %d MB; delete something first",
			limit>>20, max(0, free-spare)>>20)
	}
	f, err := os.OpenFile(filepath.Join(c.dir, spoolName), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("store the update: %w", err)
	}
	n, err := io.Copy(f, io.LimitReader(r, limit+1))
	if err == nil && n > limit {
		err = errors.New("more arrived than was announced")
	}
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("store the update: %w", err)
	}
	return nil
}

// OpenSpool implements update.System.
func (c *Card) OpenSpool() (update.Spool, error) {
	f, err := os.Open(filepath.Join(c.dir, spoolName))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return spool{f, info.Size()}, nil
}

type spool struct {
	*os.File
	size int64
}

func (s spool) Size() int64 { return s.size }

// DropSpool implements update.System.
func (c *Card) DropSpool() error {
	err := os.Remove(filepath.Join(c.dir, spoolName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// SlotSize implements update.System.
func (c *Card) SlotSize(slot update.Slot) (int64, error) {
	d, err := c.disk()
	if err != nil {
		return 0, err
	}
	return d.size(slot)
}

// WriteSlot implements update.System. It refuses the running slot and the one that
// the kernel was told, whatever it is asked for.
func (c *Card) WriteSlot(slot update.Slot) (update.SlotWriter, error) {
	d, err := c.disk()
	if err != nil {
		return nil, err
	}
	booted, err := c.Booted()
	if err != nil {
		return nil, err
	}
	if slot == d.running || slot == booted {
		return nil, fmt.Errorf("partition %d is in use", slot)
	}
	_, device, err := d.partition(slot)
	if err != nil {
		return nil, err
	}
	return os.OpenFile(device, os.O_WRONLY, 0)
}

// ReadSlot implements update.System.
func (c *Card) ReadSlot(slot update.Slot) (io.ReadCloser, error) {
	d, err := c.disk()
	if err != nil {
		return nil, err
	}
	_, device, err := d.partition(slot)
	if err != nil {
		return nil, err
	}
	return openDirect(device)
}
