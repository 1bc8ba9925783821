// Package wifitest is a world of access points with one radio in it: the Radio
// and the Host of a wifi.Manager, moved by a test's script.
//
// It is no model of the air or of IEEE 802.11: it does what the drivers of a
// Raspberry Pi were seen or documented to do, no more. It takes its time with
// timers, so that it belongs into a bubble of package testing/synctest.
package wifitest
