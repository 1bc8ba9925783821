package flash

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/prompt64/prompt64/appliance/config"
	"github.com/prompt64/prompt64/appliance/gpt"
	"github.com/prompt64/prompt64/image/fat"
)

// Setup is what a device finds on its card at the first start.
type Setup struct {
	Hostname string
	Password string
	SSID     string
	PSK      string
	Region   string
}

// setupFile is where the device looks (package config).
const setupFile = "prompt64.json"

// JSON is the file's content.
func (s Setup) JSON() ([]byte, error) {
	type network struct {
		SSID   string `json:"ssid"`
		PSK    string `json:"psk,omitempty"`
		Region string `json:"region,omitempty"`
	}
	var v struct {
		Version  int       `json:"version"`
		Hostname string    `json:"hostname,omitempty"`
		Password string    `json:"password,omitempty"`
		Wifi     []network `json:"wifi,omitempty"`
	}
	v.Version, v.Hostname, v.Password = 1, s.Hostname, s.Password
	if s.SSID != "" {
		v.Wifi = []network{{s.SSID, s.PSK, s.Region}}
	}
	b, err := json.MarshalIndent(v, "", "  ")
	return append(b, '\n'), err
}

// Check says what the device would not take. It would then take nothing of the file.
func (s Setup) Check() error {
	want := config.Default()
	if s.Hostname != "" {
		want.Hostname = s.Hostname
	}
	if s.SSID != "" {
		want.Wifi = []config.Network{{SSID: s.SSID, PSK: config.NewSecret(s.PSK), Region: s.Region}}
	}
	err := config.Validate(want, config.Options{})
	if s.Password != "" {
		err = errors.Join(err, want.SetPassword(s.Password))
	}
	if err != nil {
		return fmt.Errorf("the device would not take its set-up: %w", err)
	}
	return nil
}

// Place puts the file onto the boot partition of a card that was just written. What
// it changes goes through whole sectors, as a raw disk wants it.
func (s Setup) Place(d Device, size int64, now time.Time) error {
	text, err := s.JSON()
	if err != nil {
		return err
	}
	sectors := sectorDevice{d}
	table, err := gpt.Read(sectors, uint64(size/sector))
	if err != nil {
		return fmt.Errorf("set the card up: %w", err)
	}
	boot, err := table.Partition(1)
	if err != nil {
		return fmt.Errorf("set the card up: %w", err)
	}
	v, err := fat.Open(sectors, boot.Offset())
	if err != nil {
		return fmt.Errorf("set the card up: %w", err)
	}
	if err := v.Add(setupFile, text, now); err != nil {
		return fmt.Errorf("set the card up: %w", err)
	}
	if err := d.Sync(); err != nil {
		return fmt.Errorf("set the card up: %s (%w)", why(err), err)
	}
	return s.check(d, sectors, boot, text)
}

// check reads the file back from the card.
func (s Setup) check(d Device, sectors sectorDevice, boot gpt.Partition, text []byte) error {
	if err := d.Forget(); err != nil {
		return fmt.Errorf("set the card up: %w", err)
	}
	v, err := fat.Open(sectors, boot.Offset())
	if err != nil {
		return fmt.Errorf("read the set-up back: %w", err)
	}
	at, err := v.Sector("PROMPT~1.JSO")
	if err != nil {
		return fmt.Errorf("read the set-up back: %w", err)
	}
	got := make([]byte, len(text))
	if _, err := sectors.ReadAt(got, at*sector); err != nil {
		return fmt.Errorf("read the set-up back: %s (%w)", why(err), err)
	}
	if string(got) != string(text) {
		return fmt.Errorf("read the set-up back: it is not what was written")
	}
	return nil
}

// sectorDevice gives a device any bytes, and asks it for whole sectors.
type sectorDevice struct{ Device }

// ReadAt reads the sectors around what is wanted.
func (s sectorDevice) ReadAt(p []byte, off int64) (int, error) {
	from, buf := around(p, off)
	if err := readFull(s.Device, buf, from); err != nil {
		return 0, err
	}
	return copy(p, buf[off-from:]), nil
}

// WriteAt replaces part of the sectors.
func (s sectorDevice) WriteAt(p []byte, off int64) (int, error) {
	from, buf := around(p, off)
	if len(buf) != len(p) {
		if err := readFull(s.Device, buf, from); err != nil {
			return 0, err
		}
	}
	copy(buf[off-from:], p)
	n, err := s.Device.WriteAt(buf, from)
	if err == nil && n < len(buf) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

func around(p []byte, off int64) (from int64, buf []byte) {
	from = off / sector * sector
	to := (off + int64(len(p)) + sector - 1) / sector * sector
	return from, alignedBuffer(int(to - from))
}
