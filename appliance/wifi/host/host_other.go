//go:build !linux

package host

import (
	"errors"
	"syscall"
)

var errLinux = errors.New("the Wi-Fi can be managed on Linux only")

func kernelRelease() (string, error) { return "", errLinux }

func loadModule(string) error { return errLinux }

func unloadModule(string) error { return errLinux }

func childAttributes() *syscall.SysProcAttr { return nil }

// ClearAddresses refuses.
func (h *Host) ClearAddresses(string) error { return errLinux }
