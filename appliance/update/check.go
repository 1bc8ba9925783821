package update

import (
	"errors"
	"fmt"

	"golang.org/x/mod/semver"

	"github.com/prompt64/prompt64/appliance/update/bundle"
)

// Consent is what the owner expressly allows.
type Consent struct {
	// Guard allows a version with another guard: if that one is broken, a bad
	// update may need somebody to pull the plug.
	Guard bool
	// Older allows a version that is older than the running one, but none that the
	// running one rules out.
	Older bool
}

// ErrOtherGuard says that the update needs Consent.Guard.
var ErrOtherGuard = errors.New("the update brings another guard, the part that goes back from a bad update; allow that if the maker of the update asks for it")

// ErrOlder says that the update needs Consent.Older.
var ErrOlder = errors.New("the update is older than what runs; allow that if you want to go back")

// check tells in words why a device does not take a bundle.
func check(m bundle.Manifest, d Device, floor string, room int64, consent Consent) error {
	switch {
	case m.Board != d.Board:
		return fmt.Errorf("the update is for the board %s, this device is %s", m.Board, d.Board)
	case m.Arch != d.Arch:
		return fmt.Errorf("the update is for %s processors, this one is %s", m.Arch, d.Arch)
	case m.Kernel.SHA256 != d.Kernel:
		return fmt.Errorf("the update is for the kernel %s, this device has %s; a kernel cannot be updated over the network yet: flash the card anew",
			m.Kernel.Release, d.Release)
	case semver.Compare(m.Version, floor) < 0:
		return fmt.Errorf("the update is %s; after %s this device takes nothing older than %s", m.Version, d.Version, floor)
	case m.Root.Size > room:
		return fmt.Errorf("the update needs %d MB, its partition has %d MB", m.Root.Size>>20, room>>20)
	case semver.Compare(m.Version, d.Version) < 0 && !consent.Older:
		return ErrOlder
	case m.Guard != d.Guard && !consent.Guard:
		return ErrOtherGuard
	}
	return nil
}
