package nl80211

import (
	"errors"

	"golang.org/x/sys/unix"
)

// isOverrun reports whether the kernel had more to tell than fits.
func isOverrun(err error) bool { return errors.Is(err, unix.ENOBUFS) }

// setFlags switches a network interface on or off.
func setFlags(name string, up bool) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	req, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFFLAGS, req); err != nil {
		return err
	}
	flags := req.Uint16()
	if up == (flags&unix.IFF_UP != 0) {
		return nil
	}
	req.SetUint16(flags ^ unix.IFF_UP)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, req); err != nil {
		return err
	}
	return nil
}
