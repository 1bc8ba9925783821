package main

import (
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
)

// router is the interface at the other end of the cable.
const router = "veth0"

// ethernet adds a cable, takes it away again, and looks which way packets would go.
func (s *stage) ethernet() error {
	// The cable's other end, where the router is, gets the kernel's name for it.
	if err := run("busybox", "ip", "link", "add", "eth0", "type", "veth"); err != nil {
		return err
	}
	if err := run("busybox", "ip", "link", "set", router, "up"); err != nil {
		return err
	}
	server, err := serveDHCP(router, "192.168.88")
	if err != nil {
		return err
	}
	client, err := start("/gokrazy/dhcp", "-interface=eth0")
	if err != nil {
		return err
	}
	defer func() {
		for _, c := range []interface{ Kill() error }{client.Process, server.Process} {
			_ = c.Kill()
		}
		_, _ = client.Wait(), server.Wait()
		_ = run("busybox", "ip", "link", "del", "eth0")
	}()
	if err := until("the way out by cable", func() bool { return strings.HasPrefix(way(), "192.168.88.") }); err != nil {
		return fmt.Errorf("%w; it is %s\n%s", err, way(), routes())
	}
	if !strings.HasPrefix(s.host.Address(s.station).String(), "192.168.77.") {
		return fmt.Errorf("the Wi-Fi lost its address to the cable")
	}
	fmt.Printf("both routes:\n%s", routes())
	// gokrazy's client puts a route behind the others when a cable is pulled, but
	// only knows the state of real hardware: so the interface is switched off.
	if err := run("busybox", "ip", "link", "set", "eth0", "down"); err != nil {
		return err
	}
	if err := until("the way out by Wi-Fi", func() bool { return strings.HasPrefix(way(), "192.168.77.") }); err != nil {
		return fmt.Errorf("%w; it is %s\n%s", err, way(), routes())
	}
	_ = client.Process.Signal(syscall.SIGTERM)
	return nil
}

// way is the address from which packets to strangers would come. Nothing is sent.
func way() string {
	c, err := net.Dial("udp4", "203.0.113.1:9")
	if err != nil {
		return err.Error()
	}
	defer c.Close()
	return c.LocalAddr().String()
}

func routes() string {
	text, _ := os.ReadFile("/proc/net/route")
	return string(text)
}
