package update

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"
)

// errCompare says that a card does not keep what is written to it.
var errCompare = errors.New("the card does not hold what was written to it; it may be worn out: try another card")

// compare reads a slot and tells whether it holds the root.
func (u *Updater) compare(ctx context.Context, want Root) error {
	got, err := u.digest(ctx, want.Slot, want.Size)
	if err != nil {
		return fmt.Errorf("read back: %w", err)
	}
	if got != want.SHA256 {
		return errCompare
	}
	return nil
}

// digest returns the SHA-256 of the first size bytes of a slot.
func (u *Updater) digest(ctx context.Context, slot Slot, size int64) (string, error) {
	r, err := u.sys.ReadSlot(slot)
	if err != nil {
		return "", err
	}
	defer r.Close()
	h := sha256.New()
	n, err := io.CopyBuffer(h, io.LimitReader(&halting{r, ctx, u.cfg.Pet}, size), make([]byte, 256<<10))
	if err == nil && n != size {
		err = io.ErrUnexpectedEOF
	}
	return hex.EncodeToString(h.Sum(nil)), err
}

// squashfsMagic begins a squashfs; the bytes that it uses stand at squashfsUsed, as
// u64, little-endian (Linux, fs/squashfs/squashfs_fs.h).
var squashfsMagic = []byte("hsqs")

const (
	squashfsSuper = 96
	squashfsUsed  = 40
)

// measured adds the size and the digest of what is in the slot, so that the way back
// to it can be checked later. Without them there is none.
func (u *Updater) measured(ctx context.Context, r Root) Root {
	size, err := u.squashfsSize(r.Slot)
	if err == nil {
		r.SHA256, err = u.digest(ctx, r.Slot, size)
	}
	if err != nil {
		u.log.Warn("update: there will be no way back to the running version", "error", err)
		r.SHA256 = ""
		return r
	}
	r.Size = size
	return r
}

func (u *Updater) squashfsSize(slot Slot) (int64, error) {
	r, err := u.sys.ReadSlot(slot)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	super := make([]byte, squashfsSuper)
	if _, err := io.ReadFull(r, super); err != nil {
		return 0, err
	}
	if !bytes.HasPrefix(super, squashfsMagic) {
		return 0, errors.New("there is no root file system")
	}
	size := int64(binary.LittleEndian.Uint64(super[squashfsUsed:]))
	room, err := u.sys.SlotSize(slot)
	if err != nil {
		return 0, err
	}
	if size < squashfsSuper || size > room {
		return 0, fmt.Errorf("the root file system claims %d bytes", size)
	}
	return size, nil
}

// halting is a reader that ends with its context, and pets.
type halting struct {
	io.Reader
	ctx context.Context
	pet func(context.Context) time.Duration
}

func (h *halting) Read(p []byte) (int, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	h.pet(h.ctx)
	return h.Reader.Read(p)
}

// meter shows how much was read of something.
type meter struct {
	r io.Reader
	u *Updater
	n int64
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	m.n += int64(n)
	m.u.done(m.n)
	return n, err
}

// progress shows how much was written, and pets.
type progress struct {
	u   *Updater
	ctx context.Context
	n   int64
}

func (p *progress) Write(b []byte) (int, error) {
	p.n += int64(len(b))
	p.u.cfg.Pet(p.ctx)
	p.u.done(p.n)
	return len(b), nil
}

// done shows how far the phase is.
func (u *Updater) done(bytes int64) { u.show(func(v *view) { v.done = bytes }) }
