package link

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fakeSys lays out what Linux shows of two USB adapters, one without a serial
// number and latency timer, a UART and a console without a device.
func fakeSys(t *testing.T) sysfs {
	t.Helper()
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("devices/usb1/1-1/serial", "A50285BI\n")
	write("devices/usb1/1-1/1-1:1.0/ttyUSB0/latency_timer", "16\n")
	write("devices/usb1/1-2/product", "CH340\n")
	write("devices/usb1/1-2/1-2:1.0/ttyUSB1/port_number", "0\n")
	write("devices/soc/uart/driver_override", "\n")
	write("class/tty/console/active", "tty1\n")
	for name, device := range map[string]string{
		"ttyUSB0": "devices/usb1/1-1/1-1:1.0/ttyUSB0", "ttyUSB1": "devices/usb1/1-2/1-2:1.0/ttyUSB1", "ttyAMA0": "devices/soc/uart",
	} {
		folder := filepath.Join(root, "class/tty", name)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(root, device), filepath.Join(folder, "device")); err != nil {
			t.Fatal(err)
		}
	}
	return sysfs(filepath.Join(root, "class/tty"))
}

func TestPortsAreListedWithTheSerialNumberOfTheirAdapter(t *testing.T) {
	got, err := fakeSys(t).list()
	if err != nil {
		t.Fatal(err)
	}
	want := []Device{{Path: "/dev/ttyAMA0"}, {Path: "/dev/ttyUSB0", Serial: "A50285BI"}, {Path: "/dev/ttyUSB1"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := sysfs(t.TempDir() + "/none").list(); err == nil {
		t.Error("a system without the folder was listed")
	}
}

func TestLatencyTimerIsOneMillisecondWhereThereIsOne(t *testing.T) {
	sys := fakeSys(t)
	for _, port := range []string{"/dev/ttyUSB0", "/dev/ttyUSB1", "/dev/ttyAMA0", "/dev/none"} {
		if err := sys.lowLatency(port); err != nil {
			t.Errorf("%s: %v", port, err)
		}
	}
	name := filepath.Join(string(sys), "ttyUSB0", "device", "latency_timer")
	if text, err := os.ReadFile(name); err != nil || string(text) != "1\n" {
		t.Errorf("%q, %v", text, err)
	}
	if os.Getuid() == 0 {
		return // root may write everything
	}
	if err := os.Chmod(name, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := sys.lowLatency("/dev/ttyUSB0"); err == nil {
		t.Error("a timer that cannot be set was not reported")
	}
}

func TestNameThatIsALinkIsTheAdapterBehindIt(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "ttyUSB4")
	if err := os.WriteFile(target, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	byID := filepath.Join(dir, "usb-FTDI-if00")
	if err := os.Symlink(target, byID); err != nil {
		t.Fatal(err)
	}
	target, err := filepath.EvalSymlinks(target)
	if err != nil {
		t.Fatal(err)
	}
	d, ok := deviceAt([]Device{{Path: "/dev/ttyUSB0"}, {Path: target, Serial: "X"}}, byID)
	if !ok || d.Serial != "X" {
		t.Errorf("%+v, %v", d, ok)
	}
}
