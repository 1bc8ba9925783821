package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/wifi"
	"github.com/prompt64/prompt64/appliance/wifi/host"
	"github.com/prompt64/prompt64/appliance/wifi/nl80211"
)

// The names on the air.
const (
	openSSID   = "Prompt64 open"
	lockedSSID = "Prompt64 locked"
	lockedKey  = "no secret at all"
)

// patience is for what a slow machine does, emulated on another.
const patience = 3 * time.Minute

// stage is what the scenes share.
type stage struct {
	radio    *nl80211.Radio
	host     *host.Host
	manager  *wifi.Manager
	settings chan config.Settings

	station string // the interface that the manager has
	ap      string // the other one
	hostapd *exec.Cmd
	udhcpd  *exec.Cmd
}

func (s *stage) Subscribe() (<-chan config.Settings, func()) { return s.settings, func() {} }

func (s *stage) want(networks ...config.Network) { s.settings <- config.Settings{Wifi: networks} }

// open loads the pretended radios and puts the access point on the air.
func open() (*stage, error) {
	log := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s := &stage{radio: nl80211.New(), settings: make(chan config.Settings, 1)}
	s.host = host.New(host.Config{Modules: []string{"mac80211_hwsim"}, Firmware: "/bin/*", Log: log})
	s.manager = wifi.New(wifi.Config{Radio: s.radio, Host: s.host, Settings: s, Log: log})
	if err := s.host.LoadDriver(context.Background()); err != nil {
		return nil, err
	}
	if err := host.New(host.Config{Modules: []string{"veth"}}).LoadDriver(context.Background()); err != nil {
		return nil, err
	}
	if err := s.transmit("wlan1"); err != nil {
		return nil, err
	}
	return s, nil
}

// transmit starts the access point and its DHCP server on an interface.
func (s *stage) transmit(ifname string) error {
	s.ap = ifname
	conf := fmt.Sprintf(`interface=%s
driver=nl80211
ctrl_interface=/tmp/hostapd
hw_mode=g
channel=6
ssid=%s
bss=%s_0
ssid=%s
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase=%s
`, ifname, openSSID, ifname, lockedSSID, lockedKey)
	if err := os.WriteFile("/tmp/hostapd.conf", []byte(conf), 0o600); err != nil {
		return err
	}
	var err error
	if s.hostapd, err = start("hostapd", "/tmp/hostapd.conf"); err != nil {
		return err
	}
	if err := until("the access point is on the air", func() bool {
		out, err := exec.Command("hostapd_cli", "-p", "/tmp/hostapd", "-i", ifname, "status").Output()
		return err == nil && bytes.Contains(out, []byte("state=ENABLED"))
	}); err != nil {
		return err
	}
	s.udhcpd, err = serveDHCP(ifname, "192.168.77")
	return err
}

// silence takes the access point off the air, in order.
func (s *stage) silence() {
	for _, c := range []*exec.Cmd{s.hostapd, s.udhcpd} {
		_ = c.Process.Signal(syscall.SIGTERM)
		_ = c.Wait()
	}
}

// serveDHCP gives addresses of a network on an interface, and a way out.
func serveDHCP(ifname, network string) (*exec.Cmd, error) {
	conf := fmt.Sprintf(`interface %s
start %s.100
end %s.200
lease_file /tmp/leases-%s
option subnet 255.255.255.0
option router %s.1
option lease 600
`, ifname, network, network, ifname, network)
	path := "/tmp/udhcpd-" + ifname
	if err := os.WriteFile(path, []byte(conf), 0o600); err != nil {
		return nil, err
	}
	if err := os.WriteFile("/tmp/leases-"+ifname, nil, 0o600); err != nil {
		return nil, err
	}
	if err := run("busybox", "ip", "addr", "flush", "dev", ifname); err != nil { // of a time before
		return nil, err
	}
	if err := run("busybox", "ip", "addr", "add", network+".1/24", "dev", ifname); err != nil {
		return nil, err
	}
	return start("busybox", "udhcpd", "-f", path)
}

func run(argv ...string) error {
	if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%q: %w: %s", argv, err, out)
	}
	return nil
}

func start(argv ...string) (*exec.Cmd, error) {
	c := exec.Command(argv[0], argv[1:]...)
	c.Stdout, c.Stderr = os.Stdout, os.Stdout
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("start %q: %w", argv, err)
	}
	return c, nil
}

// until waits for something.
func until(what string, ok func() bool) error {
	for end := time.Now().Add(patience); !ok(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			return fmt.Errorf("not within %v: %s", patience, what)
		}
	}
	return nil
}
