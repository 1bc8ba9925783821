package host

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/prompt64/prompt64/appliance/wifi"
)

// broadcom is the vendor of the radios, as the SDIO bus tells it.
const broadcom = "0x02d0"

// Missing looks for what an interface needs: hardware, a driver, firmware.
func (h *Host) Missing() wifi.Missing {
	if _, all, err := h.readModules(); err != nil || !h.knows(all) {
		return wifi.MissingDriver
	}
	if !h.hasRadio() {
		return wifi.MissingRadio
	}
	if files, _ := filepath.Glob(filepath.Join(h.cfg.Root, h.cfg.Firmware)); len(files) == 0 {
		return wifi.MissingFirmware
	}
	return wifi.MissingUnknown
}

func (h *Host) knows(all map[string]module) bool {
	for _, name := range h.cfg.Modules {
		if _, there := all[moduleName(name)]; !there {
			return false
		}
	}
	return true
}

// hasRadio looks for a radio's chip on the bus where a Raspberry Pi has it, and
// for radios that some driver took already.
func (h *Host) hasRadio() bool {
	if known, _ := filepath.Glob(filepath.Join(h.cfg.Root, "/sys/class/ieee80211/*")); len(known) > 0 {
		return true
	}
	vendors, _ := filepath.Glob(filepath.Join(h.cfg.Root, "/sys/bus/sdio/devices/*/vendor"))
	for _, path := range vendors {
		if text, err := os.ReadFile(path); err == nil && strings.TrimSpace(string(text)) == broadcom {
			return true
		}
	}
	return false
}
