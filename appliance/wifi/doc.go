// Package wifi keeps the device in one of its owner's Wi-Fi networks.
//
// What it does not promise: WPA3, WEP, and networks with a login of their own
// cannot be joined, and where an access point speaks both WPA2 and WPA3 the
// driver decides; a wrong password is a judgement, since the drivers of a
// Raspberry Pi tell it in the same way as a refusal; a network that works is not
// left for a better one, unless the settings change; nothing is done about a
// second radio.
//
// The idea: one goroutine owns the radio and walks in a circle. It makes the
// radio ready, looks which networks are there, tries those of the settings in
// their order, the visible ones first, and stays with the first that gives it an
// address. What fails is told in words, and tried again for ever with a growing
// pause.
//
// Invariants: what the kernel says on its own (an Event) only wakes that
// goroutine and explains a failure; what is true is asked for. An interface is
// found by listing each time round, since it may vanish and come back under
// another name. The DHCP client lives exactly as long as an association: a new
// access point, or the same one again, gets a new client. What went wrong in the
// radio itself, and not in the network, ends in a reset of the radio.
//
// Radio and Host are all that it needs of the machine. Package nl80211 has the
// first and package host the second for Linux; package wifitest has a world of
// access points for tests.
package wifi
