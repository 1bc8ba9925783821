package wifi_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// vmTime bounds the virtual machine, which has no help of the processor.
const vmTime = 12 * time.Minute

// TestManagerWorksWithARealKernel boots Debian's kernel with pretended radios and
// lets package internal/hwsim play there.
func TestManagerWorksWithARealKernel(t *testing.T) {
	if os.Getenv("PROMPT64_LONG") != "1" {
		t.Skip("a virtual machine takes minutes: set PROMPT64_LONG=1")
	}
	kernel := kernelFolder(t)
	image := filepath.Join(t.TempDir(), "initramfs")
	if err := os.WriteFile(image, initramfs(t, kernel), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), vmTime)
	defer cancel()
	vm := exec.CommandContext(ctx, "qemu-system-x86_64", "-machine", "q35", "-cpu", "max", "-smp", "2", "-m", "768",
		"-display", "none", "-serial", "stdio", "-nic", "none", "-no-reboot",
		"-kernel", filepath.Join(kernel, "vmlinuz"), "-initrd", image, "-append", "console=ttyS0 quiet panic=-1")
	var out bytes.Buffer
	vm.Stdout, vm.Stderr = &out, &out
	err := vm.Run()
	text := strings.ReplaceAll(out.String(), "\r", "")
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "ok: ") {
			t.Log(strings.TrimSpace(line))
		}
	}
	if err != nil || !strings.Contains(text, "\nPASS\n") {
		t.Errorf("the virtual machine ended with %v and said\n%s", err, text)
	}
}

// kernelFolder is where scripts/setup-wifi put the kernel.
func kernelFolder(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(cache, "prompt64", "wifi-kernel")
	if _, err := os.Stat(filepath.Join(folder, "vmlinuz")); err != nil {
		t.Skip("there is no kernel with pretended radios: run scripts/setup --vm")
	}
	for _, program := range []string{"qemu-system-x86_64", "busybox", "/usr/sbin/hostapd", "/usr/sbin/hostapd_cli"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is missing: run scripts/setup --vm", program)
		}
	}
	return folder
}

// initramfs makes the file system of the virtual machine.
func initramfs(t *testing.T, kernel string) []byte {
	t.Helper()
	a := newArchive()
	a.device("dev/console", 5, 1)
	a.file("init", read(t, build(t, "github.com/prompt64/prompt64/appliance/wifi/internal/hwsim")))
	a.file("gokrazy/dhcp", read(t, build(t, "github.com/gokrazy/gokrazy/cmd/dhcp")))
	busybox, err := exec.LookPath("busybox")
	if err != nil {
		t.Fatal(err)
	}
	a.file("bin/busybox", read(t, busybox))
	a.link("sbin/modprobe", "/bin/busybox")
	for _, program := range []string{"/usr/sbin/hostapd", "/usr/sbin/hostapd_cli"} {
		a.file("bin/"+filepath.Base(program), read(t, program))
		for _, library := range libraries(t, program) {
			a.file(strings.TrimPrefix(library, "/"), read(t, library))
		}
	}
	modules := os.DirFS(kernel)
	if err := a.tree(modules, "lib"); err != nil {
		t.Fatal(err)
	}
	return a.bytes()
}

// build builds a program that needs nothing else.
func build(t *testing.T, pkg string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "program")
	c := exec.Command("go", "build", "-o", out, pkg)
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", pkg, err, text)
	}
	return out
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// libraries lists what a program is linked with.
func libraries(t *testing.T, program string) []string {
	t.Helper()
	text, err := exec.Command("ldd", program).Output()
	if err != nil {
		t.Fatalf("ldd %s: %v", program, err)
	}
	var paths []string
	for _, word := range strings.Fields(string(text)) {
		if strings.HasPrefix(word, "/") {
			paths = append(paths, word)
		}
	}
	return paths
}
