package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
)

// Whoever asks for Wi-Fi on a card that cannot do it hears that before anything is erased.
func TestWifiOnAnImageWithoutFirmwareIsWarnedOf(t *testing.T) {
	with := `{"components": [{"type": "library", "name": "lib/firmware/x"}, {"type": "firmware", "name": "lib/firmware/brcm/x.bin"}]}`
	without := `{"components": [{"type": "library", "name": "lib/firmware/x"}, {"type": "firmware", "name": "boot.bin"}]}`
	for name, c := range map[string]struct {
		list, packed string
		args         []string
		warns        bool
	}{
		"with it":       {with, "", []string{"-wifi", "home"}, false},
		"without it":    {without, "", []string{"-wifi", "home"}, true},
		"packed":        {without, ".zst", []string{"-wifi", "home"}, true},
		"no wish":       {without, "", nil, false},
		"no list":       {"", "", []string{"-wifi", "home"}, false},
		"not our list":  {"<xml/>", "", []string{"-wifi", "home"}, false},
		"an empty list": {"{}", "", []string{"-wifi", "home"}, true},
	} {
		image, card, _ := files(t)
		if c.list != "" {
			if err := os.WriteFile(image+".sbom.json", []byte(c.list), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if c.packed != "" {
			if err := os.Rename(image, image+c.packed); err != nil {
				t.Fatal(err)
			}
			image += c.packed
		}
		var out, log bytes.Buffer
		if err := run(context.Background(), append(c.args, image, card), strings.NewReader("12345678\n"), &out, &log); err == nil {
			t.Errorf("%s: the card was written", name)
		}
		said := out.String()
		if strings.Contains(said, "no firmware for the radios") != c.warns {
			t.Errorf("%s: it says %s", name, said)
		}
		if at := strings.Index(said, "ERASES"); c.warns && at < strings.Index(said, "no firmware") {
			t.Errorf("%s: the warning comes too late: %s", name, said)
		}
	}
}
