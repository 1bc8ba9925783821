package nl80211

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/mdlayher/genetlink"
	"github.com/mdlayher/netlink"
	"github.com/prompt64/prompt64/appliance/wifi"
	"golang.org/x/sys/unix"
)

// rawKeyDigits is the length of a key that is no password, but the 256 bits that
// are otherwise computed of one.
const rawKeyDigits = 64

// Suites of IEEE 802.11-2020, tables 9-149 and 9-151, as nl80211 takes them.
const (
	cipherCCMP = 0x000fac04
	akmPSK     = 0x000fac02
)

// dial connects to nl80211.
func dial(ctx context.Context) (*genetlink.Conn, genetlink.Family, error) {
	c, err := genetlink.Dial(nil)
	if err != nil {
		return nil, genetlink.Family{}, err
	}
	deadline, _ := ctx.Deadline()
	err = c.SetDeadline(deadline)
	var family genetlink.Family
	if err == nil {
		family, err = c.GetFamily(unix.NL80211_GENL_NAME)
	}
	if err != nil {
		_ = c.Close()
		return nil, family, err
	}
	return c, family, nil
}

// joinRaw begins to join a WPA2 network with the key itself.
func joinRaw(ctx context.Context, i wifi.Interface, ssid, digits string) error {
	key, err := hex.DecodeString(digits)
	if err != nil {
		return fmt.Errorf("join: the key is not hexadecimal")
	}
	c, family, err := dial(ctx)
	if err != nil {
		return fmt.Errorf("join: %w", err)
	}
	defer c.Close()
	data, err := connectRequest(i, ssid, key)
	if err != nil {
		return fmt.Errorf("join: %w", err)
	}
	_, err = c.Execute(genetlink.Message{
		Header: genetlink.Header{Command: unix.NL80211_CMD_CONNECT, Version: family.Version},
		Data:   data,
	}, family.ID, netlink.Request|netlink.Acknowledge)
	return wrap("join", err)
}

// connectRequest asks the driver to join a network and to do the handshake of the
// keys by itself.
func connectRequest(i wifi.Interface, ssid string, key []byte) ([]byte, error) {
	e := netlink.NewAttributeEncoder()
	e.Uint32(unix.NL80211_ATTR_IFINDEX, uint32(i.Index))
	e.Bytes(unix.NL80211_ATTR_SSID, []byte(ssid))
	e.Uint32(unix.NL80211_ATTR_AUTH_TYPE, unix.NL80211_AUTHTYPE_OPEN_SYSTEM)
	e.Flag(unix.NL80211_ATTR_PRIVACY, true)
	e.Uint32(unix.NL80211_ATTR_WPA_VERSIONS, unix.NL80211_WPA_VERSION_2)
	e.Uint32(unix.NL80211_ATTR_CIPHER_SUITE_GROUP, cipherCCMP)
	e.Uint32(unix.NL80211_ATTR_CIPHER_SUITES_PAIRWISE, cipherCCMP)
	e.Uint32(unix.NL80211_ATTR_AKM_SUITES, akmPSK)
	e.Flag(unix.NL80211_ATTR_WANT_1X_4WAY_HS, true)
	e.Bytes(unix.NL80211_ATTR_PMK, key)
	return e.Encode()
}
