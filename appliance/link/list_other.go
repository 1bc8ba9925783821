//go:build !linux

package link

import (
	"fmt"

	"go.bug.st/serial/enumerator"
)

// ListSerial lists the system's serial ports with their USB serial numbers.
func ListSerial() ([]Device, error) {
	ports, err := enumerator.GetDetailedPortsList()
	if err != nil {
		return nil, fmt.Errorf("link: list serial ports: %w", err)
	}
	var out []Device
	for _, p := range ports {
		d := Device{Path: p.Name}
		if p.IsUSB {
			d.Serial = p.SerialNumber
		}
		out = append(out, d)
	}
	return out, nil
}
