package checks

import (
	"context"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/prompt64/prompt64/appliance/health"
)

// Where Linux tells of a Raspberry Pi's supply: the driver raspberrypi-hwmon,
// which looks every two seconds, and the firmware's own word. Both are described
// in the kernel's Documentation and drivers/hwmon/raspberrypi-hwmon.c.
const (
	hwmonFolder   = "sys/class/hwmon"
	hwmonName     = "rpi_volt"
	hwmonAlarm    = "in0_lcrit_alarm"
	throttledFile = "sys/devices/platform/soc/soc:firmware/get_throttled"
)

// The firmware's bits: now, and at some time since the start.
const (
	lowVoltageNow  = 1 << 0
	throttledNow   = 1 << 2
	hotNow         = 1 << 3
	lowVoltageOnce = 1 << 16
	hotOnce        = 1 << 19
)

const (
	hintSupply = "Use the Raspberry Pi's own power supply and a short, thick cable."
	hintHeat   = "Give the Raspberry Pi air, or a heat sink."
)

// Power looks at the supply of a Raspberry Pi.
func Power(system fs.FS) health.Probe {
	return probe(health.Power, "Power", func(context.Context) health.Node { return power(system) })
}

func power(system fs.FS) health.Node {
	alarm, hasAlarm := lowVoltageAlarm(system)
	bits, hasBits := throttled(system)
	switch {
	case !hasAlarm && !hasBits:
		return unknown("this computer does not tell of its supply")
	case alarm || bits&lowVoltageNow != 0:
		return warn(hintSupply, "the voltage is too low now: the Raspberry Pi may stop at any time")
	case bits&(hotNow|throttledNow) != 0:
		return warn(hintHeat, "the Raspberry Pi is too hot and slows down")
	case bits&lowVoltageOnce != 0:
		return warn(hintSupply, "the voltage was too low at some time since the start")
	case bits&hotOnce != 0:
		return ok("the voltage is good; the Raspberry Pi was hot at some time since the start")
	}
	return ok("the voltage is good")
}

// lowVoltageAlarm asks the driver.
func lowVoltageAlarm(system fs.FS) (alarm, known bool) {
	entries, err := fs.ReadDir(system, hwmonFolder)
	if err != nil {
		return false, false
	}
	for _, e := range entries {
		dir := path.Join(hwmonFolder, e.Name())
		if word(system, path.Join(dir, "name")) != hwmonName {
			continue
		}
		switch word(system, path.Join(dir, hwmonAlarm)) {
		case "0":
			return false, true
		case "1":
			return true, true
		}
	}
	return false, false
}

// throttled asks the firmware.
func throttled(system fs.FS) (bits uint64, known bool) {
	bits, err := strconv.ParseUint(strings.TrimPrefix(word(system, throttledFile), "0x"), 16, 64)
	return bits, err == nil
}

// word reads a file of one word; empty if there is none.
func word(system fs.FS, name string) string {
	data, err := fs.ReadFile(system, name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}
