//go:build !linux

package nl80211

import (
	"context"
	"errors"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/wifi"
)

// ErrLinux says that there is nl80211 only on Linux.
var ErrLinux = errors.New("the Wi-Fi can be managed on Linux only")

// Radio is none here.
type Radio struct{}

var _ wifi.Radio = (*Radio)(nil)

// New returns a Radio that can nothing.
func New() *Radio { return &Radio{} }

// Close does nothing.
func (*Radio) Close() error { return nil }

// Interfaces lists none.
func (*Radio) Interfaces(context.Context) ([]wifi.Interface, error) { return nil, ErrLinux }

// SetUp refuses.
func (*Radio) SetUp(context.Context, wifi.Interface, bool) error { return ErrLinux }

// SetRegion refuses.
func (*Radio) SetRegion(context.Context, string) error { return ErrLinux }

// Scan refuses.
func (*Radio) Scan(context.Context, wifi.Interface) error { return ErrLinux }

// AccessPoints refuses.
func (*Radio) AccessPoints(context.Context, wifi.Interface) ([]wifi.AccessPoint, error) {
	return nil, ErrLinux
}

// Join refuses.
func (*Radio) Join(context.Context, wifi.Interface, string, config.Secret) error { return ErrLinux }

// Leave refuses.
func (*Radio) Leave(context.Context, wifi.Interface) error { return ErrLinux }

// Link refuses.
func (*Radio) Link(context.Context, wifi.Interface) (wifi.Link, error) {
	return wifi.Link{}, ErrLinux
}

// Events refuses.
func (*Radio) Events(context.Context) (<-chan wifi.Event, error) { return nil, ErrLinux }
