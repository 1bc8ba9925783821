package nl80211

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/mdlayher/genetlink"
	"github.com/mdlayher/netlink"
	mdlayher "github.com/mdlayher/wifi"
	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/wifi"
	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// message makes a message of the kernel.
func message(t *testing.T, command uint8, fill func(e *netlink.AttributeEncoder)) genetlink.Message {
	t.Helper()
	e := netlink.NewAttributeEncoder()
	e.Uint32(unix.NL80211_ATTR_WIPHY, 0)
	e.Uint32(unix.NL80211_ATTR_IFINDEX, 7)
	if fill != nil {
		fill(e)
	}
	data, err := e.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return genetlink.Message{Header: genetlink.Header{Command: command}, Data: data}
}

func TestMessagesOfTheKernelAreUnderstood(t *testing.T) {
	type fill = func(e *netlink.AttributeEncoder)
	code := func(kind uint16, code uint16) fill {
		return func(e *netlink.AttributeEncoder) { e.Uint16(kind, code) }
	}
	for name, c := range map[string]struct {
		command uint8
		fill    fill
		want    wifi.Event
	}{
		"joined":    {unix.NL80211_CMD_CONNECT, code(unix.NL80211_ATTR_STATUS_CODE, 0), wifi.Event{Kind: wifi.Joined}},
		"refused":   {unix.NL80211_CMD_CONNECT, code(unix.NL80211_ATTR_STATUS_CODE, 17), wifi.Event{Kind: wifi.Refused, Code: 17}},
		"timed out": {unix.NL80211_CMD_CONNECT, func(e *netlink.AttributeEncoder) { e.Flag(unix.NL80211_ATTR_TIMED_OUT, true) }, wifi.Event{Kind: wifi.Refused, TimedOut: true}},
		"lost":      {unix.NL80211_CMD_DISCONNECT, code(unix.NL80211_ATTR_REASON_CODE, 4), wifi.Event{Kind: wifi.Lost, Code: 4}},
		"thrown out": {unix.NL80211_CMD_DISCONNECT, func(e *netlink.AttributeEncoder) {
			e.Uint16(unix.NL80211_ATTR_REASON_CODE, 15)
			e.Flag(unix.NL80211_ATTR_DISCONNECTED_BY_AP, true)
		}, wifi.Event{Kind: wifi.Lost, Code: 15, ByAP: true}},
		"roamed":  {unix.NL80211_CMD_ROAM, nil, wifi.Event{Kind: wifi.Roamed}},
		"came":    {unix.NL80211_CMD_NEW_INTERFACE, nil, wifi.Event{Kind: wifi.Changed}},
		"went":    {unix.NL80211_CMD_DEL_INTERFACE, nil, wifi.Event{Kind: wifi.Changed}},
		"nothing": {unix.NL80211_CMD_NEW_SCAN_RESULTS, nil, wifi.Event{}},
	} {
		got, ok := event(message(t, c.command, c.fill))
		if ok {
			c.want.Interface = 7
		}
		if got.Kind != c.want.Kind || ok && got != c.want {
			t.Errorf("%s: event is %+v, %v; want %+v", name, got, ok, c.want)
		}
	}
}

func TestTornMessagesAreNoEvents(t *testing.T) {
	m := message(t, unix.NL80211_CMD_DISCONNECT, nil)
	for n := range len(m.Data) {
		torn := m
		torn.Data = m.Data[:n]
		event(torn) // must not panic
	}
	m.Data = []byte{1, 0, 2}
	if e, ok := event(m); ok {
		t.Errorf("three bytes are the event %+v", e)
	}
}

func TestSecurityIsWhatCanBeJoined(t *testing.T) {
	for name, c := range map[string]struct {
		akms []mdlayher.RSNAKM
		want wifi.Security
	}{
		"WPA2":            {[]mdlayher.RSNAKM{mdlayher.RSNAkmPSK}, wifi.WPA2},
		"WPA2 and WPA3":   {[]mdlayher.RSNAKM{mdlayher.RSNAkmSAE, mdlayher.RSNAkmPSK}, wifi.WPA2},
		"WPA3":            {[]mdlayher.RSNAKM{mdlayher.RSNAkmSAE}, wifi.WPA3},
		"enterprise":      {[]mdlayher.RSNAKM{mdlayher.RSNAkm8021X}, wifi.Enterprise},
		"not understood":  {nil, wifi.WPA2},
		"company's roams": {[]mdlayher.RSNAKM{mdlayher.RSNAkmFT8021X, mdlayher.RSNAkm8021X}, wifi.Enterprise},
	} {
		if got := security(mdlayher.RSNInfo{Version: 1, AKMs: c.akms}); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if got := security(mdlayher.RSNInfo{}); got != wifi.Open {
		t.Errorf("no element: %v", got)
	}
}

func TestAccessPointIsReadInDBmAndWithoutAHiddenName(t *testing.T) {
	b := &mdlayher.BSS{SSID: "\x00\x00\x00", BSSID: net.HardwareAddr{2, 0, 0, 0, 0, 1}, Signal: -6250, Frequency: 2412}
	got := accessPoint(b)
	want := wifi.AccessPoint{BSSID: "02:00:00:00:00:01", SignalDBm: -62, Frequency: 2412}
	if got != want {
		t.Errorf("access point is %+v, want %+v", got, want)
	}
	if got := signal(&mdlayher.BSS{SignalUnspecified: 70}); got != -65 {
		t.Errorf("70 percent are %d dBm", got)
	}
}

func TestRawKeyIsSentAsItIs(t *testing.T) {
	digits := strings.Repeat("0f", 32)
	key, _ := hex.DecodeString(digits)
	data, err := connectRequest(wifi.Interface{Index: 7}, "Home", key)
	if err != nil {
		t.Fatal(err)
	}
	attributes, err := netlink.UnmarshalAttributes(data)
	if err != nil {
		t.Fatal(err)
	}
	found := map[uint16]string{}
	for _, a := range attributes {
		found[a.Type&^netlink.Nested] = string(a.Data)
	}
	if found[unix.NL80211_ATTR_PMK] != string(key) || found[unix.NL80211_ATTR_SSID] != "Home" {
		t.Errorf("request is %x", data)
	}
	if _, offload := found[unix.NL80211_ATTR_WANT_1X_4WAY_HS]; !offload {
		t.Error("the driver is not asked to do the handshake")
	}
	if err := joinRaw(t.Context(), wifi.Interface{Index: 7}, "Home", strings.Repeat("zz", 32)); err == nil || strings.Contains(err.Error(), "zz") {
		t.Errorf("error is %v", err)
	}
}

func TestBlockedRadioHasThePackagesError(t *testing.T) {
	if err := wrap("join", fmt.Errorf("netlink: %w", unix.ERFKILL)); !errors.Is(err, wifi.ErrBlocked) {
		t.Errorf("error is %v", err)
	}
	if err := wrap("join", nil); err != nil {
		t.Errorf("error is %v", err)
	}
}

func TestKernelWithoutNL80211HasNoInterfaces(t *testing.T) {
	r := New()
	defer r.Close()
	got, err := r.Interfaces(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range got {
		if i.Index == 0 || i.Name == "" {
			t.Errorf("interface %+v", i)
		}
	}
}
