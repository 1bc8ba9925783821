package update

import "io"

// Device says what the device is and runs.
type Device struct {
	Board   string
	Arch    string
	Version string // of the running root
	Minimum string // see bundle.Manifest
	Kernel  string // the SHA-256 of vmlinuz on the boot partition
	Release string // what the running kernel calls itself
	Guard   string // the SHA-256 of the running guard
}

// BootFile is what one of the boot files says.
type BootFile struct {
	Name string
	Root Slot // the one that root= names
	Try  bool // it asks for a trial of the other
	Was  bool // it has the flag that gokrazy leaves when a trial began
}

// System is every side effect of an update, and what is read to decide on it, so
// that a test can stop the world after each of them. What writes is durable when it
// returns.
type System interface {
	// Device describes the device.
	Device() (Device, error)
	// BootID is another one after each start.
	BootID() (string, error)
	// Running is the slot of the root file system in use.
	Running() (Slot, error)
	// Booted is the slot that root= of the kernel's command line names.
	Booted() (Slot, error)
	// ClockSet reports whether the wall clock is to be believed.
	ClockSet() bool
	// Network names the interfaces that have an address.
	Network() ([]string, error)

	// LoadRecord reads the record; none is no error.
	LoadRecord() ([]byte, error)
	// SaveRecord replaces the record in one step.
	SaveRecord([]byte) error

	// Spool stores a bundle of at most limit bytes, replacing one that is there. It
	// refuses in words what does not fit.
	Spool(r io.Reader, limit int64) error
	// OpenSpool opens it.
	OpenSpool() (Spool, error)
	// DropSpool removes it; none is no error.
	DropSpool() error

	// SlotSize is how many bytes a slot has.
	SlotSize(Slot) (int64, error)
	// WriteSlot opens a slot for writing from its beginning.
	WriteSlot(Slot) (SlotWriter, error)
	// ReadSlot opens a slot for reading from the card itself, not from memory.
	ReadSlot(Slot) (io.ReadCloser, error)

	// BootFiles reads both boot files, in the order in which they are to be written
	// when a trial is armed: the one that gokrazy looks at for the flag comes last.
	BootFiles() ([]BootFile, error)
	// WriteBootFile overwrites one of them in place.
	WriteBootFile(name string, root Slot, try bool) error

	// Reboot starts the device again. It returns before that happens.
	Reboot(why string) error
}

// Spool is a stored bundle.
type Spool interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// SlotWriter writes a slot.
type SlotWriter interface {
	io.Writer
	// Sync brings everything to the card.
	Sync() error
	io.Closer
}
