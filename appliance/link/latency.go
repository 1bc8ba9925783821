package link

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// lowLatency sets a USB adapter's latency timer to 1 ms where its driver has one
// (drivers/usb/serial/ftdi_sio.c, latency_timer): received bytes wait there for
// up to 16 ms by default.
func (s sysfs) lowLatency(port string) error {
	if target, err := filepath.EvalSymlinks(port); err == nil {
		port = target // a name such as /dev/serial/by-id/...
	}
	f, err := os.OpenFile(filepath.Join(string(s), filepath.Base(port), "device", "latency_timer"), os.O_WRONLY|os.O_TRUNC, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString("1\n")
	return errors.Join(err, f.Close())
}
