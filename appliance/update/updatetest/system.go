package updatetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"github.com/prompt64/prompt64/appliance/update"
)

// Digest returns the SHA-256 of a text, in hexadecimal.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Device implements update.System.
func (d *Device) Device() (update.Device, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dead {
		return update.Device{}, ErrCut
	}
	about := d.About
	about.Version, _, _ = parseRoot(d.slots[d.running])
	return about, nil
}

// BootID implements update.System.
func (d *Device) BootID() (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return fmt.Sprint("boot ", d.boots), d.power()
}

// Running implements update.System.
func (d *Device) Running() (update.Slot, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.running, d.power()
}

// Booted implements update.System.
func (d *Device) Booted() (update.Slot, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.booted, d.power()
}

// ClockSet implements update.System.
func (d *Device) ClockSet() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.Clock
}

// Network implements update.System.
func (d *Device) Network() ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.Online), d.power()
}

// LoadRecord implements update.System.
func (d *Device) LoadRecord() ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.record), d.power()
}

// SaveRecord implements update.System. It cannot be torn.
func (d *Device) SaveRecord(data []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.step("save record"); err != nil {
		return err
	}
	d.record = slices.Clone(data)
	return nil
}

// Spool implements update.System.
func (d *Device) Spool(r io.Reader, limit int64) error {
	d.mu.Lock()
	room := d.SpareBytes
	d.mu.Unlock()
	if limit > room {
		return fmt.Errorf("the update has %d bytes, the card has room for %d", limit, room)
	}
	data, err := io.ReadAll(io.LimitReader(r, limit))
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	half, err := d.step("spool")
	if half {
		d.spool = data[:len(data)/2]
	}
	if err != nil {
		return err
	}
	d.spool = data
	return nil
}

// OpenSpool implements update.System.
func (d *Device) OpenSpool() (update.Spool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return spool{bytes.NewReader(d.spool)}, d.power()
}

type spool struct{ *bytes.Reader }

func (spool) Close() error { return nil }

// DropSpool implements update.System.
func (d *Device) DropSpool() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.spool == nil {
		return d.power()
	}
	if _, err := d.step("drop spool"); err != nil {
		return err
	}
	d.spool = nil
	return nil
}

// Spooled reports whether a bundle lies around.
func (d *Device) Spooled() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.spool != nil
}

// SlotSize implements update.System.
func (d *Device) SlotSize(update.Slot) (int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.SlotBytes, d.power()
}

// WriteSlot implements update.System.
func (d *Device) WriteSlot(slot update.Slot) (update.SlotWriter, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return &slotWriter{d: d, slot: slot}, d.power()
}

type slotWriter struct {
	d    *Device
	slot update.Slot
	at   int
}

func (w *slotWriter) Write(p []byte) (int, error) {
	w.d.mu.Lock()
	defer w.d.mu.Unlock()
	half, err := w.d.step("write slot")
	if err != nil && !half {
		return 0, err
	}
	n := len(p)
	if half {
		n /= 2
	}
	old := w.d.slots[w.slot]
	if w.at+n > len(old) {
		old = append(old, make([]byte, w.at+n-len(old))...)
	}
	copy(old[w.at:], p[:n])
	if w.d.Forgets {
		old[w.at] ^= 1
	}
	w.d.slots[w.slot] = old
	w.at += n
	return n, err
}

func (w *slotWriter) Sync() error {
	w.d.mu.Lock()
	defer w.d.mu.Unlock()
	_, err := w.d.step("sync slot")
	return err
}

func (w *slotWriter) Close() error { return nil }

// ReadSlot implements update.System.
func (d *Device) ReadSlot(slot update.Slot) (io.ReadCloser, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return io.NopCloser(bytes.NewReader(slices.Clone(d.slots[slot]))), d.power()
}

// BootFiles implements update.System.
func (d *Device) BootFiles() ([]update.BootFile, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return []update.BootFile{d.files[Conf], d.files[Cmdline]}, d.power()
}

// WriteBootFile implements update.System. A file is one sector, so it is not torn.
func (d *Device) WriteBootFile(name string, root update.Slot, try bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.step("write " + name); err != nil {
		return err
	}
	d.files[name] = update.BootFile{Name: name, Root: root, Try: try}
	return nil
}

// Reboot implements update.System.
func (d *Device) Reboot(why string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.step("reboot"); err != nil {
		return err
	}
	if err := d.RebootError; err != nil {
		d.RebootError = nil
		return err
	}
	select {
	case d.restart <- why:
	default:
	}
	return nil
}

func (d *Device) power() error {
	if d.dead {
		return ErrCut
	}
	return nil
}
