package host

import (
	"os"
	"path/filepath"
	"strings"
)

// Blocked reports whether a switch keeps every radio off. One that software has
// thrown (soft) is thrown back: on this device nobody else does.
func (h *Host) Blocked() bool {
	switches, _ := filepath.Glob(filepath.Join(h.cfg.Root, "/sys/class/rfkill/*"))
	radios, blocked := 0, 0
	for _, dir := range switches {
		if sysText(dir, "type") != "wlan" {
			continue
		}
		radios++
		if sysText(dir, "hard") == "1" {
			blocked++
			continue
		}
		if sysText(dir, "soft") != "1" {
			continue
		}
		h.cfg.Log.Info("wifi: a soft rfkill switch is released", "switch", filepath.Base(dir))
		if err := os.WriteFile(filepath.Join(dir, "soft"), []byte("0"), 0); err != nil || sysText(dir, "soft") == "1" {
			blocked++
		}
	}
	return radios > 0 && blocked == radios
}

func sysText(dir, name string) string {
	text, _ := os.ReadFile(filepath.Join(dir, name))
	return strings.TrimSpace(string(text))
}
