package flash

import (
	"errors"
	"io"
	"os"
	"syscall"
	"unsafe"
)

// Device is an open disk. What is read and written are whole sectors at multiples
// of a sector, from memory that [alignedBuffer] gave.
type Device interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	// Size is the disk's; 0: it grows.
	Size() int64
	// Sync returns when everything is on the disk.
	Sync() error
	// Forget makes sure that what is read next comes from the disk.
	Forget() error
}

// gone reports an error of a card that is not there any more.
func gone(err error) bool {
	return errors.Is(err, syscall.ENODEV) || errors.Is(err, syscall.ENXIO) || errors.Is(err, os.ErrClosed)
}

// why adds to an error of a device what a person can do.
func why(err error) string {
	switch {
	case gone(err):
		return "the card is gone: was it pulled out?"
	case errors.Is(err, syscall.EIO):
		return "the card or its reader is broken"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, io.ErrShortWrite), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the disk is smaller than it says"
	case errors.Is(err, syscall.EBUSY):
		return "another program uses it"
	case errors.Is(err, os.ErrPermission):
		return "this needs more rights: try again with sudo"
	}
	return "the card does not do what it should"
}

// alignment is enough for a transfer past the page cache.
const alignment = 4096

// alignedBuffer is memory for one.
func alignedBuffer(size int) []byte {
	b := make([]byte, size+alignment)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (alignment - 1)
	return b[skip : skip+size : skip+size]
}
