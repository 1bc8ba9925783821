package host

import (
	"log/slog"

	"github.com/prompt64/prompt64/appliance/wifi"
)

// Config is what a Host uses; empty fields stand for a Raspberry Pi under gokrazy.
type Config struct {
	Modules  []string // in the order of loading; those they need come along
	Firmware string   // pattern of the firmware's files
	DHCP     []string // the client's command line, to which -interface is added
	Root     string   // of the file system, for tests
	Log      *slog.Logger
}

// The defaults. brcmfmac asks the kernel for its second half by itself, which
// needs a modprobe that gokrazy has not: so they are all loaded here.
var (
	raspberryModules  = []string{"brcmutil", "brcmfmac", "brcmfmac-wcc", "brcmfmac-cyw"}
	raspberryFirmware = "/lib/firmware/brcm/brcmfmac*.bin"
	// gokrazy gives Ethernet's routes the metric 1 and all others 5; so much more
	// keeps Wi-Fi behind Ethernet adapters of any name.
	gokrazyDHCP = []string{"/gokrazy/dhcp", "-extra_route_priority=10"}
)

// Host is the machine.
type Host struct {
	cfg Config
}

var _ wifi.Host = (*Host)(nil)

// New returns the Host.
func New(cfg Config) *Host {
	if cfg.Modules == nil {
		cfg.Modules = raspberryModules
	}
	if cfg.Firmware == "" {
		cfg.Firmware = raspberryFirmware
	}
	if cfg.DHCP == nil {
		cfg.DHCP = gokrazyDHCP
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Host{cfg}
}
