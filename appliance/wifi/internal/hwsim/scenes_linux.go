package main

import (
	"context"
	"fmt"
	"net"
	"strings"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/wifi"
)

var openNetwork = config.Network{SSID: openSSID, Region: "DE"}

// associated asks the kernel itself.
func (s *stage) associated() (wifi.Link, bool) {
	link, err := s.radio.Link(context.Background(), wifi.Interface{Index: index(s.station), Name: s.station})
	return link, err == nil
}

func index(name string) int {
	i, err := net.InterfaceByName(name)
	if err != nil {
		return 0
	}
	return i.Index
}

// online waits until the manager is, and the kernel agrees.
func (s *stage) online() error {
	return until("online", func() bool {
		st := s.manager.Status()
		s.station = st.Interface
		_, linked := s.associated()
		return st.State == wifi.Online && st.SSID == openSSID && st.SignalDBm < 0 && linked &&
			strings.HasPrefix(s.host.Address(st.Interface).String(), "192.168.77.")
	})
}

func (s *stage) scan() error {
	var last []wifi.Found
	return until("both networks", func() bool {
		found, err := s.manager.Scan(context.Background())
		if err != nil {
			fmt.Println("scan:", err)
			return false
		}
		if last = found; len(last) < 2 {
			return false
		}
		kinds := map[string]wifi.Security{}
		for _, f := range last {
			kinds[f.SSID] = f.Security
		}
		return kinds[openSSID] == wifi.Open && kinds[lockedSSID] == wifi.WPA2
	})
}

func (s *stage) refuse() error {
	s.want(config.Network{SSID: lockedSSID, PSK: config.NewSecret(lockedKey)})
	return until("the words", func() bool {
		return strings.Contains(s.manager.Status().LastFailure, "WPA2 networks by itself")
	})
}

func (s *stage) join() error {
	s.want(openNetwork)
	return s.online()
}

// comeBack takes the access point away and brings it back.
func (s *stage) comeBack() error {
	s.silence()
	if err := until("notice", func() bool { return s.manager.Status().State == wifi.Waiting }); err != nil {
		return err
	}
	if s.host.Address(s.station).IsValid() {
		return fmt.Errorf("%s still has an address", s.station)
	}
	if err := s.transmit(s.ap); err != nil {
		return err
	}
	return s.online()
}

// thrownOut ends the association from the access point's side.
func (s *stage) thrownOut() error {
	i, err := net.InterfaceByName(s.station)
	if err != nil {
		return err
	}
	before := s.manager.Status().Since
	err = run("hostapd_cli", "-p", "/tmp/hostapd", "-i", s.ap, "deauthenticate", i.HardwareAddr.String(), "reason=5")
	if err != nil {
		return err
	}
	if err := until("notice", func() bool { return s.manager.Status().Cause == wifi.LostLink }); err != nil {
		return err
	}
	fmt.Println("said:", s.manager.Status().LastFailure)
	if err := s.online(); err != nil {
		return err
	}
	if !s.manager.Status().Since.After(before) {
		return fmt.Errorf("the association is the same as before")
	}
	return nil
}

// reload removes the driver under everybody's feet.
func (s *stage) reload() error {
	s.silence()
	if err := s.host.UnloadDriver(context.Background()); err != nil {
		return err
	}
	if err := until("another interface", func() bool {
		st := s.manager.Status()
		return st.Interface != "" && index(st.Interface) != 0 && st.State != wifi.Faulty
	}); err != nil {
		return err
	}
	other := "wlan0"
	if s.manager.Status().Interface == other {
		other = "wlan1"
	}
	if err := s.transmit(other); err != nil {
		return err
	}
	return s.online()
}
