package vm

import (
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/prompt64/prompt64/image/nbd"
)

// Machine is a kind of computer.
type Machine int

// The kinds.
const (
	PC    Machine = iota // amd64, started by its BIOS
	Virt                 // arm64, started by UEFI firmware
	Pi3                  // the model of a Raspberry Pi 3B; see Direct
	count = iota
)

// Config says which machine to start.
type Config struct {
	Machine Machine
	Image   string // of its disk; it is written to, unless Scratch
	Scratch bool   // what the machine writes is forgotten
	Memory  int    // MiB; 0: 512
	// CPUs are the machine's; 0: 2. QEMU 7.2 crashes a kernel once in a while that
	// changes its own code while another processor runs it, as Linux does for its
	// static branches; a machine with one processor is safe from that.
	CPUs  int
	Ports []int // of the guest, forwarded
	// Outward are the addresses of its network that the guest can reach, such as
	// 10.0.2.100:8064, and the command that is each connection: it runs once for
	// each, with the connection as its standard input and output. See Relay.
	Outward map[string]string
	// Fault, if set, puts the disk behind an nbd.Disk whose power fails so. The
	// machine is killed at that moment.
	Fault *nbd.Fault
	// WriteRate is how many bytes a second the disk takes; 0: as many as it can.
	WriteRate int
	// Serial receives the machine's console. May be nil.
	Serial io.Writer
	// Label is the serial number that the BIOS of a PC tells the guest, in
	// /sys/class/dmi/id/product_serial.
	Label string
	// Direct starts a kernel without firmware; the Pi3 needs it.
	Direct *Direct
}

// Direct is what a machine without firmware starts.
type Direct struct {
	Kernel, DeviceTree, CommandLine string
}

// emulators and the firmware, as Debian installs them.
var (
	emulators = [count]string{"qemu-system-x86_64", "qemu-system-aarch64", "qemu-system-aarch64"}
	packages  = [count]string{"qemu-system-x86", "qemu-system-arm and qemu-efi-aarch64", "qemu-system-arm"}
)

const efiFirmware = "/usr/share/qemu-efi-aarch64/QEMU_EFI.fd"

// Available says what is missing to run a kind of machine here, or nil.
func Available(m Machine) error {
	if _, err := exec.LookPath(emulators[m]); err != nil {
		return fmt.Errorf("there is no %s (Debian: %s)", emulators[m], packages[m])
	}
	if m == Virt {
		if _, err := os.Stat(efiFirmware); err != nil {
			return fmt.Errorf("there is no firmware: %w (Debian: %s)", err, packages[m])
		}
	}
	return nil
}

// arguments is QEMU's command line, but for the disk's source and the ports.
func (c Config) arguments(disk, forward string) []string {
	memory := c.Memory
	if memory == 0 {
		memory = 512
	}
	cpus := c.CPUs
	if cpus == 0 {
		cpus = 2
	}
	args := []string{"-accel", "tcg", "-display", "none", "-monitor", "none", "-serial", "stdio", "-no-user-config"}
	if c.WriteRate > 0 {
		disk += ",throttling.bps-write=" + strconv.Itoa(c.WriteRate)
	}
	network := "user,id=n0,restrict=on" + forward
	for _, address := range slices.Sorted(maps.Keys(c.Outward)) {
		network += ",guestfwd=tcp:" + address + "-cmd:" + strings.ReplaceAll(c.Outward[address], ",", ",,")
	}
	switch c.Machine {
	case PC:
		args = append(args, "-machine", "q35", "-cpu", "max", "-drive", disk+",if=virtio",
			"-netdev", network, "-device", "virtio-net-pci,netdev=n0")
		if c.Label != "" {
			args = append(args, "-smbios", "type=1,serial="+strings.ReplaceAll(c.Label, ",", ",,"))
		}
	case Virt:
		args = append(args, "-machine", "virt,highmem=off", "-cpu", "cortex-a72", "-bios", efiFirmware,
			"-drive", disk+",if=none,id=d0", "-device", "virtio-blk-pci,drive=d0",
			"-netdev", network, "-device", "virtio-net-pci,netdev=n0")
	case Pi3:
		memory = 1024 // the model has no other
		// The address must be a globally administered one, or the guest calls the
		// device usb0 and nobody asks for its address.
		args = append(args, "-machine", "raspi3b", "-drive", disk+",if=sd",
			"-netdev", network, "-device", "usb-net,netdev=n0,mac=00:11:22:33:44:55")
	}
	if c.Machine != Pi3 { // which has four processors, and a watchdog of its own
		args = append(args, "-smp", strconv.Itoa(cpus), "-device", "i6300esb", "-action", "watchdog=reset")
	}
	if d := c.Direct; d != nil {
		args = append(args, "-kernel", d.Kernel, "-append", d.CommandLine)
		if d.DeviceTree != "" {
			args = append(args, "-dtb", d.DeviceTree)
		}
	}
	return append(args, "-m", strconv.Itoa(memory))
}
