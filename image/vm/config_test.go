package vm

import (
	"slices"
	"testing"
)

func TestMachineHasTheLabelTheProcessorsAndTheDiskThatWereAskedFor(t *testing.T) {
	after := func(args []string, flag string) string {
		i := slices.Index(args, flag)
		if i < 0 {
			return ""
		}
		return args[i+1]
	}
	plain := Config{Machine: PC}.arguments("file=x", "")
	if after(plain, "-drive") != "file=x,if=virtio" || after(Config{Machine: PC, WriteRate: 5}.arguments("file=x", ""), "-drive") != "file=x,throttling.bps-write=5,if=virtio" {
		t.Errorf("%q", plain)
	}
	if after(plain, "-smp") != "2" || after(plain, "-smbios") != "" {
		t.Errorf("%q", plain)
	}
	// QEMU separates options by commas; two are one.
	chosen := Config{Machine: PC, CPUs: 1, Label: "no, thanks"}.arguments("file=x", "")
	if after(chosen, "-smp") != "1" || after(chosen, "-smbios") != "type=1,serial=no,, thanks" {
		t.Errorf("%q", chosen)
	}
}
