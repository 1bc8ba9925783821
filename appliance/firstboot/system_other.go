//go:build !linux

package firstboot

import (
	"errors"
	"time"

	"github.com/prompt64/prompt64/appliance/gpt"
)

// Machine is this machine, which is no device.
type Machine struct {
	Alive func() // see Linux
}

var (
	_ System  = Machine{}
	_ Clock   = Machine{}
	_ Storage = Machine{}
)

var errLinux = errors.New("this is for Linux only")

// Now is the time of day.
func (Machine) Now() time.Time { return time.Now().Round(0) }

// Set is not possible here.
func (Machine) Set(time.Time) error { return errLinux }

// Find finds nothing here.
func (Machine) Find(string) (Place, error) { return Place{}, ErrNoCard }

// Open is not possible here.
func (Machine) Open(Place) (Disk, error) { return nil, errLinux }

// Known is not possible here.
func (Machine) Known(Place) (uint64, error) { return 0, errLinux }

// Tell is not possible here.
func (Machine) Tell(Place, gpt.Partition) error { return errLinux }

// Filesystem is not possible here.
func (Machine) Filesystem(Place) (Filesystem, error) { return Filesystem{}, errLinux }

// Enlarge is not possible here.
func (Machine) Enlarge(Place, uint64) error { return errLinux }

// Card finds nothing here.
func (Machine) Card(string) (Place, error) { return Place{}, ErrNoCard }

// Condition is not known here.
func (Machine) Condition(Place) (Condition, error) { return Condition{}, errLinux }

// Format is not possible here.
func (Machine) Format(Place) error { return errLinux }

// Spoil is not possible here.
func (Machine) Spoil(Place) error { return errLinux }

// Restart is not possible here.
func (Machine) Restart() error { return errLinux }
