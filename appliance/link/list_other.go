//go:build !linux

package link

import (
	"fmt"

	"go.bug.st/serial"
)

// ListSerial lists the system's serial ports. USB serial numbers are not told
// here: on some systems they need cgo.
func ListSerial() ([]Device, error) {
	names, err := serial.GetPortsList()
	if err != nil {
		return nil, fmt.Errorf("link: list serial ports: %w", err)
	}
	var out []Device
	for _, name := range names {
		out = append(out, Device{Path: name})
	}
	return out, nil
}
