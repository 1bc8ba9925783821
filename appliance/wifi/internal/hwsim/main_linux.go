// Command hwsim is the first process of a virtual machine whose kernel pretends
// to have two Wi-Fi radios. On one of them hostapd is an access point, the other
// is managed by a wifi.Manager, as on a device: nl80211, kernel modules and the
// DHCP client are the real ones. It prints a line for each thing that it saw, and
// PASS or FAIL at the end.
//
// What it cannot show is a join with WPA2: the pretended driver leaves the
// handshake of keys to a program.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func main() {
	if os.Getpid() != 1 {
		fmt.Fprintln(os.Stderr, "hwsim: this is the first process of a virtual machine; go test starts it")
		os.Exit(2)
	}
	// gokrazy's DHCP client tells the first process of new addresses this way.
	signal.Ignore(syscall.SIGHUP)
	err := boot()
	if err == nil {
		err = play()
	}
	if err != nil {
		fmt.Println("FAIL:", err)
	} else {
		fmt.Println("PASS")
	}
	unix.Sync()
	_ = unix.Reboot(unix.LINUX_REBOOT_CMD_RESTART)
	select {}
}

// boot mounts what programs expect.
func boot() error {
	for _, m := range []struct{ kind, at string }{
		{"proc", "/proc"}, {"sysfs", "/sys"}, {"devtmpfs", "/dev"}, {"tmpfs", "/tmp"},
	} {
		if err := os.MkdirAll(m.at, 0o755); err != nil {
			return err
		}
		if err := unix.Mount(m.kind, m.at, m.kind, 0, ""); err != nil && !errors.Is(err, unix.EBUSY) {
			return fmt.Errorf("mount %s: %w", m.at, err)
		}
	}
	return os.Setenv("PATH", "/bin")
}

// play goes through the scenes.
func play() error {
	s, err := open()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	served := make(chan error, 1)
	go func() { served <- s.manager.Serve(ctx) }()
	for _, scene := range []struct {
		name string
		do   func() error
	}{
		{"a scan shows both networks", s.scan},
		{"WPA2 is refused in words", s.refuse},
		{"the open network is joined, with an address", s.join},
		{"Ethernet wins while it is there", s.ethernet},
		{"a network that went away is joined again", s.comeBack},
		{"a device that was thrown out comes back", s.thrownOut},
		{"a driver that is gone is loaded again", s.reload},
	} {
		start := time.Now()
		if err := scene.do(); err != nil {
			return fmt.Errorf("%s: %w; status %+v", scene.name, err, s.manager.Status())
		}
		fmt.Printf("ok: %s (%.0f s)\n", scene.name, time.Since(start).Seconds())
	}
	cancel()
	<-served
	if _, ok := s.associated(); ok {
		return errors.New("still associated after the end")
	}
	fmt.Println("ok: the network is left at the end")
	return nil
}
