// Package host is the Host of a wifi.Manager on a gokrazy device: kernel modules,
// the DHCP client, addresses, rfkill.
//
// It does not promise to find every reason why there is no interface: it looks for
// the hardware, the driver's file and the firmware's, and says so if one of them
// is not there.
//
// The DHCP client is gokrazy's, a child that the kernel ends with us, and that has
// less to say about routes than Ethernet's.
package host
