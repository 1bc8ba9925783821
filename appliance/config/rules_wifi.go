package config

import (
	"encoding/hex"
	"errors"
)

// The limits of IEEE 802.11: a name is bytes, not characters, and a key is a
// passphrase of printable ASCII or the 256 bits themselves.
const (
	maxSSID  = 32
	minPSK   = 8
	maxPSK   = 63
	rawPSK   = 64 // hexadecimal digits
	ssidRule = "1 to 32 bytes are allowed; a letter such as ä takes two"
	pskRule  = "8 to 63 characters without accents are allowed, or 64 hexadecimal digits"

	regionRule = "two capital letters are allowed, such as DE, or 00"
)

func checkSSID(_ *reader, ssid string) error {
	if ssid == "" || len(ssid) > maxSSID {
		return errors.New(ssidRule)
	}
	return nil
}

func checkPSK(_ *reader, psk string) error {
	if psk == "" {
		return nil
	}
	if len(psk) == rawPSK {
		if _, err := hex.DecodeString(psk); err != nil {
			return errors.New(pskRule)
		}
		return nil
	}
	if len(psk) < minPSK || len(psk) > maxPSK {
		return errors.New(pskRule)
	}
	for _, b := range []byte(psk) {
		if b < ' ' || b > '~' {
			return errors.New(pskRule)
		}
	}
	return nil
}

func checkRegion(_ *reader, region string) error {
	letter := func(b byte) bool { return 'A' <= b && b <= 'Z' }
	if region == "" || region == "00" || len(region) == 2 && letter(region[0]) && letter(region[1]) {
		return nil
	}
	return errors.New(regionRule)
}
