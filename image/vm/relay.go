package vm

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
)

// relayVariable tells a program that QEMU starts that it is a relay, and where to.
const relayVariable = "PROMPT64_VM_RELAY"

// RelayTo is a command for Config.Outward that leads to an address of this
// computer, and the variable that must be in the environment when the machine is
// started. The program that asks must call Relay first of all.
func RelayTo(address string) (command, variable, value string, err error) {
	program, err := os.Executable()
	if err != nil {
		return "", "", "", fmt.Errorf("relay: %w", err)
	}
	// QEMU's network splits the command as a shell does.
	return "'" + strings.ReplaceAll(program, "'", `'\''`) + "'", relayVariable, address, nil
}

// Relay makes a program that was started as a relay one, and does not return then.
func Relay() {
	address := os.Getenv(relayVariable)
	if address == "" || !isConnection(os.Stdin) {
		return
	}
	if err := relay(os.Stdin, address); err != nil {
		fmt.Fprintln(os.Stderr, "relay:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// isConnection tells a program that QEMU started from the one that started QEMU.
func isConnection(f *os.File) bool {
	c, err := net.FileConn(f)
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}

// relay carries bytes both ways until one side has ended.
func relay(guest *os.File, address string) error {
	near, err := net.FileConn(guest)
	if err != nil {
		return fmt.Errorf("the guest's connection: %w", err)
	}
	defer near.Close()
	far, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer far.Close()
	done := make(chan error, 2)
	carry := func(to, from net.Conn) {
		_, err := io.Copy(to, from)
		done <- err
	}
	go carry(far, near)
	go carry(near, far)
	err = <-done
	_ = near.Close()
	_ = far.Close()
	if second := <-done; err == nil && !errors.Is(second, net.ErrClosed) {
		err = second
	}
	return err
}

// Gateway is an address of the guest's network that Outward can take, with a port.
func Gateway(port int) string { return "10.0.2.100:" + strconv.Itoa(port) }
