package link

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// sysfs is the folder in which Linux lists ports.
type sysfs string

const sysTTY sysfs = "/sys/class/tty"

// list lists the ports that have a device behind them, as USB adapters have. It
// opens none: go.bug.st/serial's own list opens every /dev/ttyS, and one that is
// in use loses its settings by that where the process is root (serial_unix.go,
// nativeGetPortsList), as it is on the appliance.
func (s sysfs) list() ([]Device, error) {
	entries, err := os.ReadDir(string(s))
	if err != nil {
		return nil, fmt.Errorf("link: list serial ports: %w", err)
	}
	var out []Device
	for _, e := range entries {
		device, err := filepath.EvalSymlinks(filepath.Join(string(s), e.Name(), "device"))
		if err == nil {
			out = append(out, Device{Path: "/dev/" + e.Name(), Serial: usbSerial(device)})
		}
	}
	return out, nil
}

// usbSerial finds the serial number of the USB device that holds a port: it
// stands in the folder of the device, two or three above that of the port.
func usbSerial(device string) string {
	for range 4 {
		if text, err := os.ReadFile(filepath.Join(device, "serial")); err == nil {
			return strings.TrimSpace(string(text))
		}
		device = filepath.Dir(device)
	}
	return ""
}
