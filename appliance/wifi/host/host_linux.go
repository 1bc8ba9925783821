package host

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// maxAddresses bounds the removal of addresses, should one not go.
const maxAddresses = 16

func kernelRelease() (string, error) {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return "", fmt.Errorf("uname: %w", err)
	}
	return unix.ByteSliceToString(u.Release[:]), nil
}

// loadModule loads one module unless it is there.
func loadModule(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := unix.FinitModule(int(f.Fd()), "", 0); err != nil && !errors.Is(err, unix.EEXIST) {
		return err
	}
	return nil
}

// unloadModule removes one module; one that is not there is fs.ErrNotExist.
func unloadModule(name string) error { return unix.DeleteModule(name, unix.O_NONBLOCK) }

// childAttributes let the kernel end a child with its parent.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

// ClearAddresses removes the IPv4 addresses of an interface, and with them its
// routes. To set 0.0.0.0 removes the first one (netdevice(7), SIOCSIFADDR).
func (h *Host) ClearAddresses(ifname string) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("clear the addresses of %s: %w", ifname, err)
	}
	defer unix.Close(fd)
	for range maxAddresses {
		if !h.Address(ifname).IsValid() {
			return nil
		}
		req, err := unix.NewIfreq(ifname)
		if err == nil {
			err = req.SetInet4Addr([]byte{0, 0, 0, 0})
		}
		if err == nil {
			err = unix.IoctlIfreq(fd, unix.SIOCSIFADDR, req)
		}
		if err != nil {
			return fmt.Errorf("clear the addresses of %s: %w", ifname, err)
		}
	}
	return fmt.Errorf("clear the addresses of %s: some stay", ifname)
}
