package host

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/prompt64/prompt64/appliance/leaks"
	"github.com/prompt64/prompt64/appliance/wifi"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// tree makes a file system of these files.
func tree(t *testing.T, files map[string]string) *Host {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return New(Config{Root: root})
}

// dep is a modules.dep as depmod writes it for a Raspberry Pi.
const dep = `kernel/net/rfkill/rfkill.ko:
kernel/net/wireless/cfg80211.ko: kernel/net/rfkill/rfkill.ko
kernel/brcm80211/brcmutil/brcmutil.ko:
kernel/brcm80211/brcmfmac/brcmfmac.ko.xz: kernel/brcm80211/brcmutil/brcmutil.ko kernel/net/wireless/cfg80211.ko kernel/net/rfkill/rfkill.ko
kernel/brcm80211/brcmfmac/wcc/brcmfmac-wcc.ko: kernel/brcm80211/brcmfmac/brcmfmac.ko.xz
kernel/brcm80211/brcmfmac/cyw/brcmfmac-cyw.ko: kernel/brcm80211/brcmfmac/brcmfmac.ko.xz
`

func depFile(t *testing.T) string {
	t.Helper()
	release, err := kernelRelease()
	if err != nil {
		t.Skip("no kernel modules on this system:", err)
	}
	return "/lib/modules/" + release + "/modules.dep"
}

func TestNeededModulesAreLoadedFirst(t *testing.T) {
	h := tree(t, map[string]string{depFile(t): dep})
	_, all, err := h.readModules()
	if err != nil {
		t.Fatal(err)
	}
	got := all[moduleName("brcmfmac")].loadOrder()
	want := []string{
		"kernel/net/rfkill/rfkill.ko", "kernel/net/wireless/cfg80211.ko",
		"kernel/brcm80211/brcmutil/brcmutil.ko", "kernel/brcm80211/brcmfmac/brcmfmac.ko.xz",
	}
	if !slices.Equal(got, want) {
		t.Errorf("order is %q, want %q", got, want)
	}
	if _, there := all["brcmfmac_wcc"]; !there {
		t.Error("a module with a hyphen is not found under the kernel's name for it")
	}
}

func TestLoadingNamesTheModuleThatIsMissing(t *testing.T) {
	h := tree(t, map[string]string{depFile(t): "kernel/other.ko:\n"})
	if err := h.LoadDriver(t.Context()); err == nil || err.Error() != "load the Wi-Fi driver: brcmutil: there is no such kernel module" {
		t.Errorf("error is %v", err)
	}
}

func TestMissingSaysWhatIsNotThere(t *testing.T) {
	driver := depFile(t)
	chip := "/sys/bus/sdio/devices/mmc1:0001:1/vendor"
	firmware := "/lib/firmware/brcm/brcmfmac43455-sdio.bin"
	for name, c := range map[string]struct {
		files map[string]string
		want  wifi.Missing
	}{
		"nothing there":     {nil, wifi.MissingDriver},
		"no modules":        {map[string]string{chip: "0x02d0\n", firmware: "x"}, wifi.MissingDriver},
		"other modules":     {map[string]string{driver: "kernel/other.ko:\n"}, wifi.MissingDriver},
		"no chip":           {map[string]string{driver: dep, firmware: "x"}, wifi.MissingRadio},
		"another chip":      {map[string]string{driver: dep, firmware: "x", chip: "0x1234\n"}, wifi.MissingRadio},
		"no firmware":       {map[string]string{driver: dep, chip: "0x02d0\n"}, wifi.MissingFirmware},
		"all there":         {map[string]string{driver: dep, chip: "0x02d0\n", firmware: "x"}, wifi.MissingUnknown},
		"taken by a driver": {map[string]string{driver: dep, "/sys/class/ieee80211/phy0/index": "0", firmware: "x"}, wifi.MissingUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tree(t, c.files).Missing(); got != c.want {
				t.Errorf("missing is %d, want %d", got, c.want)
			}
		})
	}
}

func TestSoftSwitchIsReleasedAndHardOneIsNot(t *testing.T) {
	radio := func(n, hard, soft string) map[string]string {
		dir := "/sys/class/rfkill/rfkill" + n
		return map[string]string{dir + "/type": "wlan\n", dir + "/hard": hard + "\n", dir + "/soft": soft + "\n"}
	}
	h := tree(t, radio("0", "0", "1"))
	if h.Blocked() {
		t.Error("blocked by a switch that can be released")
	}
	if got := sysText(filepath.Join(h.cfg.Root, "/sys/class/rfkill/rfkill0"), "soft"); got != "0" {
		t.Errorf("the switch says %q", got)
	}
	if !tree(t, radio("0", "1", "0")).Blocked() {
		t.Error("not blocked by a hard switch")
	}
	other := radio("0", "1", "0")
	other["/sys/class/rfkill/rfkill0/type"] = "bluetooth\n"
	if tree(t, other).Blocked() || tree(t, nil).Blocked() {
		t.Error("blocked by what is no Wi-Fi switch")
	}
}
