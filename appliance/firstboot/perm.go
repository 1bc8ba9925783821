package firstboot

import (
	"errors"
	"fmt"

	"github.com/prompt64/prompt64/appliance/config"
)

// Condition is how the file system of /perm is.
type Condition struct {
	Mounted  bool
	ReadOnly bool // the system stopped writing to it
	Errors   int  // that the kernel found in it since it was made
}

// Storage is everything outside that is needed to make a damaged /perm anew.
type Storage interface {
	// Card says where /perm lies, mounted or not. [ErrNoCard] is that of a machine
	// that does not run from a card of ours.
	Card(mount string) (Place, error)
	Condition(Place) (Condition, error)
	// Format makes an empty file system where none is mounted.
	Format(Place) error
	// Spoil destroys a mounted file system so far that it is not mounted again. From
	// then on nothing can be written to it.
	Spoil(Place) error
	// Restart starts the device again. It returns before that happens.
	Restart() error
}

// maxTries is how often /perm is made anew for one wish of the owner. Each takes two
// tries and starts, or three with a power cut: a card that wants more keeps nothing.
const maxTries = 6

// WayOut says what an owner can do about a damaged /perm.
const WayOut = "Copy what you still can from it. Then put an empty file prompt64-reset on the boot partition and start the device again: " +
	"everything on the data partition is erased, settings too, and Set-up opens. If it comes back, use another card."

// damage says in words what is wrong; empty: nothing is.
func (c Condition) damage() string {
	const damaged = "the card's data partition (/perm) is damaged: "
	switch {
	case !c.Mounted:
		return damaged + "its file system cannot be used, and nothing that was kept on it can be reached"
	case c.ReadOnly:
		return damaged + "the system writes nothing to it any more"
	case c.Errors == 1:
		return damaged + "the system found an error in it"
	case c.Errors > 0:
		return fmt.Sprintf("%sthe system found %d errors in it", damaged, c.Errors)
	}
	return ""
}

// Damage says in words what is wrong with /perm; empty: nothing is, or this is no
// device.
func Damage(s Storage, mount string) string {
	_, c, err := look(s, mount)
	switch {
	case errors.Is(err, ErrNoCard):
		return ""
	case err != nil:
		return "how the card's data partition is cannot be told: " + err.Error()
	}
	return c.damage()
}

func look(s Storage, mount string) (Place, Condition, error) {
	place, err := s.Card(mount)
	if err != nil {
		return place, Condition{}, err
	}
	c, err := s.Condition(place)
	return place, c, err
}

// Revive makes a damaged /perm anew if a file on the boot partition asks for a reset,
// and starts the device again; it reports whether it did. It is for the start, before
// anything is read from /perm. A power cut in the middle leaves the file, so that the
// next start does it. The file is removed by the reset of the settings, which finds a
// whole and empty /perm then.
func Revive(s Storage, boot config.Boot, mount string) (restarting bool, err error) {
	place, c, err := look(s, mount)
	if errors.Is(err, ErrNoCard) {
		return false, nil
	}
	if err != nil || c.damage() == "" {
		return false, err
	}
	asked, tries, err := config.ResetAsked(boot)
	if err != nil || !asked {
		return false, err
	}
	if err := erase(s, boot, place, c, tries+1); err != nil {
		return false, fmt.Errorf("make %s anew: %w", mount, err)
	}
	return true, nil
}

// Erase does the same for an owner who is signed in, whether a file asks for it or not.
// It may take seconds, and the device starts again soon after.
func Erase(s Storage, boot config.Boot, mount string) error {
	place, c, err := look(s, mount)
	if err == nil && c.damage() == "" {
		err = errors.New("it is not damaged")
	}
	if err == nil {
		err = erase(s, boot, place, c, 1)
	}
	if err != nil {
		return fmt.Errorf("make %s anew: %w", mount, err)
	}
	return nil
}

// erase takes one step: what is mounted must first be kept from being so, since it is
// in use until the device starts again.
func erase(s Storage, boot config.Boot, place Place, c Condition, try int) error {
	if try > maxTries {
		return fmt.Errorf("that was tried %d times: the card does not keep what is written, use another one", try-1)
	}
	if err := config.NoteTry(boot, try); err != nil {
		return err
	}
	step := s.Format
	if c.Mounted {
		step = s.Spoil
	}
	if err := step(place); err != nil {
		return err
	}
	return s.Restart()
}
