package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// lacksFirmware tells of an image that the build's list beside it has no firmware for
// radios of. Without a list that is not known.
func lacksFirmware(image string) bool {
	switch ext := filepath.Ext(image); ext {
	case ".zst", ".xz", ".gz":
		image = strings.TrimSuffix(image, ext)
	}
	text, err := os.ReadFile(image + ".sbom.json")
	if err != nil {
		return false
	}
	var list struct {
		Components []struct{ Type, Name string }
	}
	if json.Unmarshal(text, &list) != nil {
		return false
	}
	for _, c := range list.Components {
		if c.Type == "firmware" && strings.HasPrefix(c.Name, "lib/firmware/") {
			return false
		}
	}
	return true
}
