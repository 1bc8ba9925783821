// Package nl80211 is the Radio of a wifi.Manager on Linux: mdlayher/wifi, and
// what that leaves out.
//
// It does not promise that a driver can join WPA2 networks: that needs one which
// does the handshake of keys by itself, as brcmfmac of the Raspberry Pi does, and
// mac80211_hwsim does not. A scan cannot be broken off; it ends by its deadline
// at the latest, also when nobody waits for it any more.
//
// What is added: the kernel's own messages about associations, which mdlayher/wifi
// does not offer and which alone tell why one failed; and joining with a key of 64
// hexadecimal digits, which mdlayher/wifi would take for a password.
package nl80211
